import { expect, test } from 'vitest'
import { createReceiverLanes, mentionsLane } from './receiverLanes.ts'

test('receivers that hang delay neither receivers that answer nor mentions', () => {
  const lanes = createReceiverLanes(8)
  lanes.record('answers', 'delivered', 0)
  for (const hanging of ['a', 'b', 'c', 'd']) lanes.enter(hanging)
  const { trusted, others } = lanes.limits(1000)
  expect(others(0).count).toBe(0)
  expect(trusted.count).toBe(4)
  expect(trusted.webhooks).toEqual({ only: [mentionsLane, 'answers'] })
})

test('a receiver that fails is tried alone, after its pause', () => {
  const lanes = createReceiverLanes(8)
  lanes.record('fails', 'delivered', 0)
  lanes.record('fails', 'retry', 5000)
  const exceptAt = (now: number) => lanes.limits(now).others(0).webhooks
  expect(exceptAt(4999)).toEqual({ except: [mentionsLane, 'fails'] })
  expect(exceptAt(5000)).toEqual({ except: [mentionsLane] })
  const leave = lanes.enter('fails')
  expect(exceptAt(5000)).toEqual({ except: [mentionsLane, 'fails'] })
  leave()
  expect(exceptAt(5000)).toEqual({ except: [mentionsLane] })
})
