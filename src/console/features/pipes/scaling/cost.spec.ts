import { expect, test } from 'vitest'
import { formatCost, pipeSizeOf } from './cost.ts'

const size = (replicas: number) => ({ replicas, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 })

test('a cost is shown before and after, once if unchanged, and not if unknown', () => {
  expect(formatCost([size(1)], [size(2)], 0.2)).toBe('$9 → $18 per month')
  expect(formatCost([size(2)], [size(2)], 0.2)).toBe('$18 per month')
  expect(formatCost([size(1)], [size(2)], 0)).toBe('$0 per month')
  expect(formatCost([null], [size(2)], 0.2)).toBeNull()
})

test('the cost of many pipes is a total, unless one is unknown', () => {
  expect(formatCost([size(1), size(2)], [size(2), size(2)], 0.2)).toBe('$27 → $37 per month')
  expect(formatCost([size(1), null], [size(2), size(2)], 0.2)).toBeNull()
})

test('a size needs all of its numbers', () => {
  expect(pipeSizeOf(size(3))).toEqual(size(3))
  expect(pipeSizeOf({ ...size(3), replicaMemoryGb: null })).toBeNull()
  expect(pipeSizeOf({ ...size(3), replicas: Number.NaN })).toBeNull()
})
