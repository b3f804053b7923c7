import { expect, it } from 'vitest'
import { sampleAt } from '#contract/testing/metricSamples.ts'
import { describeOverload, hasNewErrors, isPipeOverloaded, severityRank } from './severity.ts'

const errors = (...counts: (number | null)[]) => counts.map((count, at) => sampleAt(at, { errors: count }))

it('distinguishes new errors from old ones and from a counter reset', () => {
  expect([errors(5, 5, 5), errors(5, 0, 0), errors(null, 3), errors(3), []].map(hasNewErrors)).toEqual(
    Array.from({ length: 5 }, () => false),
  )
  expect(hasNewErrors(errors(0, 1, 1))).toBe(true)
  expect(hasNewErrors(errors(5, 0, 2))).toBe(true)
})

it('ranks failed pipes first, and unknown states with running ones', () => {
  const calm = errors(0, 0)
  const ranks = ['Failed', 'InternalError', 'Degraded', 'Paused', 'Running', 'Hibernating', undefined].map((state) =>
    severityRank({ state }, calm),
  )
  expect(ranks).toEqual([0, 0, 2, 4, 5, 5, 5])
  expect(severityRank({ state: 'Running' }, errors(0, 1))).toBe(1)
})

it('ranks overloaded pipes before paused ones, from the first sample on', () => {
  const using = (...shares: (number | null)[]) =>
    shares.map((cpu, at) => sampleAt(at * 15_000, { cpu, cpuLimit: 100, memory: 10, memoryLimit: 100 }))
  const [mostly, calm] = [Array.from({ length: 36 }, () => 96), Array.from({ length: 36 }, () => 20)]
  // A single low or high sample does not change the rank.
  expect([using(95), using(...mostly), using(...mostly, 40)].map(isPipeOverloaded)).toEqual([true, true, true])
  expect([[], using(null, null), using(...calm), using(...calm, 95)].map(isPipeOverloaded)).toEqual(
    Array.from({ length: 4 }, () => false),
  )
  expect(isPipeOverloaded(using(99, 99).map((pipeSample) => ({ ...pipeSample, cpuLimit: null, memory: 95 })))).toBe(
    true,
  )
  expect(severityRank({ state: 'Running' }, using(95))).toBe(3)
  expect(describeOverload(using(...mostly))).toMatch(/^CPU .* limit/)
  expect(describeOverload(using(...calm))).toBeNull()
})
