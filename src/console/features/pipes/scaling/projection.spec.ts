import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { capacityOf, horizon, isBehind, keepsUp, minMinutes, measure, project, type Measured } from './projection.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

interface Truth {
  minutes: number
  /** Records per second that are written, and for each millicore. */
  sent: number
  perMillicore: number
  replicas: number
  cpuLimit: number
  /** Seconds of lag at the start, and what each second adds. */
  lag: number
  growth: number
}

/** Samples every 15 s of a pipe that behaves exactly so. */
function samplesOf({ minutes, sent, perMillicore, replicas, cpuLimit, lag, growth }: Truth): PipeSample[] {
  return Array.from({ length: minutes * 4 + 1 }, (_, index) => ({
    at: start + index * 15_000,
    pace: 15_000,
    fetchedEvents: Math.round(sent * index * 15),
    sentEvents: Math.round(sent * index * 15),
    fetchedBytes: null,
    errors: 0,
    latency: (lag + growth * index * 15) * 1000,
    sourceLag: null,
    cpu: sent / perMillicore / replicas,
    cpuLimit,
    memory: null,
    memoryLimit: null,
  }))
}

const truth = fc.record({
  minutes: fc.integer({ min: minMinutes, max: 30 }),
  sent: fc.integer({ min: 100, max: 100_000 }),
  perMillicore: fc.integer({ min: 1, max: 500 }),
  replicas: fc.integer({ min: 1, max: 10 }),
  cpuLimit: fc.constantFrom(125, 250, 500, 1000, 2000),
  lag: fc.integer({ min: 10, max: 600 }),
  growth: fc.double({ min: 0, max: 0.8, noNaN: true }),
})

function measuredIn(samples: readonly PipeSample[], replicas: number): Measured {
  const { measured } = measure(samples, replicas)
  if (!measured) throw new Error('too little was measured')
  return measured
}

test('finds the rate of the source and the records of a millicore again', () => {
  fc.assert(
    fc.property(truth, (given) => {
      const found = measuredIn(samplesOf(given), given.replicas)
      expect(found.minutes).toBe(given.minutes)
      expect(found.perMillicore.middle / given.perMillicore).toBeCloseTo(1, 1)
      expect(found.perMillicore.low).toBeLessThanOrEqual(found.perMillicore.middle)
      expect(found.perMillicore.high).toBeGreaterThanOrEqual(found.perMillicore.middle)
      expect(found.arrival / (given.sent / (1 - given.growth))).toBeCloseTo(1, 1)
    }),
  )
})

test('says why there is no projection', () => {
  const usual: Truth = { minutes: 20, sent: 1000, perMillicore: 10, replicas: 1, cpuLimit: 125, lag: 5, growth: 0 }
  const reasonOf = (samples: readonly PipeSample[]) => {
    const result = measure(samples, 1)
    return result.measured ? null : result.reason
  }
  expect(reasonOf(samplesOf(usual))).toBeNull()
  expect(reasonOf([])).toBe('0 of 10 minutes are measured at this size.')
  expect(reasonOf(samplesOf({ ...usual, minutes: 9 }))).toBe('9 of 10 minutes are measured at this size.')
  expect(reasonOf(samplesOf(usual).map((sample) => ({ ...sample, latency: null })))).toBe('Its lag is not reported.')
  expect(reasonOf(samplesOf(usual).map((sample) => ({ ...sample, sentEvents: null })))).toBe(
    'Its records and CPU are not reported.',
  )
  expect(reasonOf(samplesOf({ ...usual, sent: 0 }))).toBe('Nothing was loaded while it was measured.')
  // Measurements of another size, and from before a gap, do not count.
  const resized = samplesOf(usual).map((sample, at) => ({ ...sample, cpuLimit: at < 60 ? 250 : 125 }))
  expect(reasonOf(resized)).toBe('5 of 10 minutes are measured at this size.')
})

const situation = fc.record({
  minutes: fc.constant(30),
  memory: fc.constant(null),
  arrival: fc.integer({ min: 10, max: 10_000 }),
  perMillicore: fc.constant({ low: 1, middle: 1, high: 1 }),
  lag: fc.integer({ min: 1, max: 3600 }),
  base: fc.integer({ min: 0, max: 1 }),
})
const capacity = fc.integer({ min: 1, max: 50_000 })

test('more capacity never means more lag, nor a later catch-up', () => {
  fc.assert(
    fc.property(situation, capacity, capacity, capacity, (measured, now, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)]
      const [slow, fast] = [project(measured, now, less), project(measured, now, more)]
      for (const [index, { lag }] of slow.points.entries()) {
        expect(fast.points[index]?.lag ?? Infinity).toBeLessThanOrEqual(lag + 1e-6)
      }
      expect(fast.caughtUpIn ?? Infinity).toBeLessThanOrEqual((slow.caughtUpIn ?? Infinity) + 1e-6)
    }),
  )
})

test('begins with the lag that was measured, never falls below its base, and ends at it once the pipe has caught up', () => {
  fc.assert(
    fc.property(situation, capacity, capacity, (measured, now, planned) => {
      const { points, caughtUpIn } = project(measured, now, planned)
      expect(points[0]?.lag).toBe(measured.lag)
      expect(points.every(({ lag }) => lag >= measured.base)).toBe(true)
      expect(caughtUpIn === null).toBe(
        planned < measured.arrival || (planned === measured.arrival && caughtUpIn === null),
      )
      if (caughtUpIn !== null && caughtUpIn > 0 && caughtUpIn < horizon && isBehind(measured)) {
        expect(points.at(-1)?.lag).toBeCloseTo(measured.base)
      }
    }),
  )
})

test('capacity grows with replicas and their CPU', () => {
  expect(capacityOf({ replicas: 2, replicaCpuMillicores: 500 }, 3)).toBe(3000)
})

test('a size is enough only if it has the CPU and the memory that were measured', () => {
  const one = { minutes: 20, sent: 1000, perMillicore: 10, replicas: 2, cpuLimit: 250, lag: 10, growth: 0 }
  const samples = samplesOf(one).map((sample) => ({ ...sample, memory: 1.2 * 2 ** 30, memoryLimit: 4 * 2 ** 30 }))
  const measured = measuredIn(samples, 2)
  expect(measured.memory).toBe(1.2 * 2 ** 30)
  const size = (replicas: number, replicaCpuMillicores: number, replicaMemoryGb: number) =>
    keepsUp(measured, { replicas, replicaCpuMillicores, replicaMemoryGb })
  expect(size(2, 60, 2)).toBe(true)
  expect(size(2, 40, 2)).toBe(false)
  expect(size(2, 60, 1)).toBe(false)
  expect(keepsUp({ ...measured, memory: null }, { replicas: 2, replicaCpuMillicores: 60, replicaMemoryGb: 1 })).toBe(
    true,
  )
})
