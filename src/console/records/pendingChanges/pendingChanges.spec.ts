import { expect, test } from 'vitest'
import { nextPollDelay, lateAfterMs, changeProgress, type PendingChange } from './pendingChanges.ts'

const change: PendingChange = {
  values: { replicas: 3, memory: 2 },
  previous: { replicas: 1, memory: 1 },
  changes: [],
  at: 1000,
  outcomeUnknown: false,
}

test('a change is applied once every value is reported', () => {
  expect(changeProgress(change, { replicas: 3, memory: 2, other: 9 }, 1001)).toEqual({ state: 'reached' })
  expect(changeProgress(change, { replicas: 3, memory: 1 }, 1001)).toEqual({ state: 'waiting', open: ['memory'] })
})

test('zeros and missing values keep a change pending', () => {
  expect(changeProgress(change, { replicas: 0, memory: 0 }, 1001)).toEqual({
    state: 'waiting',
    open: ['replicas', 'memory'],
  })
  expect(changeProgress(change, {}, 1001)).toEqual({ state: 'waiting', open: ['replicas', 'memory'] })
})

test('a change is late after a while, and a late change can still be applied', () => {
  const late = change.at + lateAfterMs
  expect(changeProgress(change, {}, late - 1).state).toBe('waiting')
  expect(changeProgress(change, {}, late).state).toBe('late')
  expect(changeProgress(change, { replicas: 3, memory: 2 }, late).state).toBe('reached')
  expect(nextPollDelay(change, late)).toBeGreaterThan(nextPollDelay(change, change.at))
})
