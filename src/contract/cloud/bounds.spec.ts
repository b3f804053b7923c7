import { describe, expect, it } from 'vitest'
import { boundSchema, cdcScalingBounds, pipeScalingBounds, replicaScalingBounds, type Bound } from './bounds.ts'
import { pipeSettingBounds } from './pipes/pipeSettings.ts'

const lists: Record<string, readonly Bound[]> = {
  pipeScaling: pipeScalingBounds,
  cdcScaling: cdcScalingBounds,
  replicaScaling: replicaScalingBounds,
  pipeSettings: pipeSettingBounds,
}

describe.each(Object.entries(lists))('%s', (_, list) => {
  it.each(list.map((bound) => [bound.field, bound] as const))(
    '%s accepts its bounds and nothing beyond',
    (_, bound) => {
      const takes = (value: unknown) => boundSchema(bound).safeParse(value).success
      const step = bound.step ?? (bound.integer ? 1 : 0.1)
      expect([bound.min, bound.max].map(takes)).toEqual([true, true])
      expect([bound.min - step, bound.max + step].map(takes)).toEqual([false, false])
      expect(takes(null)).toBe(bound.nullable)
      expect([String(bound.min), true, [bound.min], {}, Number.NaN].map(takes)).toEqual(Array(5).fill(false))
      if (bound.integer) expect(takes(bound.min + 0.5)).toBe(false)
      if (bound.step) expect(takes(bound.min + bound.step / 2)).toBe(false)
    },
  )
})

it('keeps the limits of the specification', () => {
  const limits = pipeScalingBounds.map(({ field, min, max, integer }) => [field, min, max, integer])
  expect(limits).toEqual([
    ['replicas', 1, 10, true],
    ['concurrency', 0, 34, true],
    ['replicaCpuMillicores', 125, 2000, true],
    ['replicaMemoryGb', 0.5, 8, false],
  ])
})
