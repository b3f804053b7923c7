import { expect, test } from 'vitest'
import { formatCost, pipeSizeOf } from './cost.ts'

const size = (replicas: number) => ({ replicas, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 })

test('a cost is told before and after, once where it stays, and not at all where it is not known', () => {
  expect(formatCost([size(1)], [size(2)], 0.2)).toBe('$9 → $18 per month')
  expect(formatCost([size(2)], [size(2)], 0.2)).toBe('$18 per month')
  expect(formatCost([size(1)], [size(2)], 0)).toBe('$0 per month')
  expect(formatCost([null], [size(2)], 0.2)).toBeNull()
})

test('many pipes are told together, unless one of them is not known', () => {
  expect(formatCost([size(1), size(2)], [size(2), size(2)], 0.2)).toBe('$27 → $37 per month')
  expect(formatCost([size(1), null], [size(2), size(2)], 0.2)).toBeNull()
})

test('a size needs all of its numbers', () => {
  expect(pipeSizeOf(size(3))).toEqual(size(3))
  expect(pipeSizeOf({ ...size(3), replicaMemoryGb: null })).toBeNull()
  expect(pipeSizeOf({ ...size(3), replicas: Number.NaN })).toBeNull()
})
