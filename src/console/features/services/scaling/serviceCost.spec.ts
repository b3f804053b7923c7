import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatSpan, serviceCost, totalMemoryOf } from './serviceCost.ts'

const replicas = fc.integer({ min: 1, max: 50 })
const memory = fc.integer({ min: 2, max: 89 }).map((steps) => steps * 4)
const price = fc.double({ min: 0.01, max: 10, noNaN: true })

test('a month costs 730 hours, and twice the replicas cost twice as much', () => {
  fc.assert(
    fc.property(replicas, memory, memory, price, (numReplicas, one, other, usd) => {
      const [minReplicaMemoryGb, maxReplicaMemoryGb] = [Math.min(one, other), Math.max(one, other)]
      const size = { autoscalingMode: 'vertical', numReplicas, minReplicaMemoryGb, maxReplicaMemoryGb }
      const [total, double] = [totalMemoryOf(size), totalMemoryOf({ ...size, numReplicas: numReplicas * 2 })]
      const [cost, more] = [total && serviceCost(total, usd), double && serviceCost(double, usd)]
      if (!cost || !more) throw new Error('a size is complete')
      expect(cost.hour.least).toBeLessThanOrEqual(cost.hour.most)
      expect(cost.hour.least).toBeCloseTo(((numReplicas * minReplicaMemoryGb) / 8) * usd)
      expect(cost.month.most).toBeCloseTo(cost.hour.most * 730)
      expect(more.hour.most).toBeCloseTo(cost.hour.most * 2)
    }),
  )
})

test('horizontal scaling has one memory and a number of replicas that changes', () => {
  const size = { autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 6, minReplicaMemoryGb: 16, numReplicas: 3 }
  expect(totalMemoryOf(size)).toEqual({ least: 32, most: 96 })
})

test('is no figure without a number or a price', () => {
  const size = { numReplicas: 3, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 120 }
  for (const field of ['numReplicas', 'minReplicaMemoryGb', 'maxReplicaMemoryGb'] as const) {
    for (const value of [null, undefined, Number.NaN]) expect(totalMemoryOf({ ...size, [field]: value })).toBeNull()
  }
  expect(serviceCost({ least: 48, most: 360 }, null)).toBeNull()
})

test('says the least and the most, and the same once', () => {
  expect(formatSpan({ least: 48, most: 360 }, String)).toBe('48 to 360')
  expect(formatSpan({ least: 48, most: 48 }, String)).toBe('48')
})
