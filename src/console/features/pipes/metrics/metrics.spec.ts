import { assert, array, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { loadOf, verdictOf } from './load.ts'
import { bucketMs, gaugePoints, lastRate, ratePoints } from './series.ts'

const blank: PipeSample = {
  at: 0,
  fetchedEvents: null,
  sentEvents: null,
  fetchedBytes: null,
  errors: null,
  latency: null,
  sourceLag: null,
  cpu: null,
  cpuLimit: null,
  memory: null,
  memoryLimit: null,
}
const sample = (fields: Partial<PipeSample>): PipeSample => ({ ...blank, ...fields })
const events = (one: PipeSample) => one.fetchedEvents

describe('rates', () => {
  it('are those of the counter, wherever the samples lie', () => {
    const gaps = array(integer({ min: 1000, max: 30_000 }), { minLength: 3, maxLength: 20 })
    assert(
      property(gaps, integer({ min: 0, max: 1000 }), (lengths, perSecond) => {
        let at = 1_000_000
        const samples = lengths.map((length) => {
          at += length
          return sample({ at, fetchedEvents: (at / 1000) * perSecond })
        })
        for (const [, rate] of ratePoints(samples, events)) expect(rate).toBeCloseTo(perSecond, 3)
        expect(lastRate(samples, events)).toBeCloseTo(perSecond, 3)
      }),
    )
  })

  it('have a gap where a counter starts anew or nobody looked', () => {
    const reset = [0, 5, 10, 15, 20].map((second) =>
      sample({ at: second * 1000, fetchedEvents: second < 12 ? second * 10 : (second - 12) * 10 }),
    )
    expect(ratePoints(reset, events).map(([, rate]) => rate)).toEqual([10, 10, null, 10])
    const hidden = [sample({ at: 0, fetchedEvents: 0 }), sample({ at: 600_000, fetchedEvents: 6000 })]
    expect(ratePoints(hidden, events).every(([, rate]) => rate === null)).toBe(true)
    expect(lastRate(hidden, events)).toBeNull()
  })

  it('lie on one grid with gauges', () => {
    const samples = [3000, 9000, 21_000].map((at) => sample({ at, fetchedEvents: at, latency: at }))
    expect(gaugePoints(samples, ({ latency }) => latency)).toEqual([
      [5000, 5000],
      [10_000, 10_000],
      [15_000, 15_000],
      [20_000, 20_000],
    ])
    expect(ratePoints(samples, events).map(([time]) => time % bucketMs)).toEqual([0, 0, 0])
  })
})

describe('what a pipe is short of', () => {
  const run = (minutes: number, fields: (minute: number) => Partial<PipeSample>) =>
    Array.from({ length: minutes + 1 }, (_, at) =>
      sample({ at: at * 60_000, cpuLimit: 1000, memoryLimit: 1000, ...fields(at) }),
    )

  it('is CPU alone where memory has room', () => {
    const load = loadOf(run(22, (minute) => ({ cpu: 970, memory: 700, latency: 1000 + minute * 500 })))
    expect(load?.cpu).toEqual({ used: 970, limit: 1000, p95: 0.97 })
    expect(verdictOf(load, true).sentence).toBe(
      'CPU has been at its limit for 22 minutes and latency is rising: this pipe is short of CPU, not of memory.',
    )
  })

  it('counts only the time without a break', () => {
    const load = loadOf(run(20, (minute) => ({ cpu: minute === 15 ? 100 : 950, memory: 100, latency: 5 })))
    expect(load?.cpuFull).toBe(4 * 60_000)
  })

  it('is memory, both, the source, or nothing', () => {
    const words = (fields: Partial<PipeSample>) => verdictOf(loadOf(run(10, () => fields)), true)
    expect(words({ cpu: 100, memory: 990 }).sentence).toContain('short of memory, not of CPU')
    expect(words({ cpu: 990, memory: 990 }).sentence).toContain('short of both')
    expect(words({ cpu: 500, memory: 500 })).toMatchObject({ tone: 'success' })
    expect(words({ cpu: 100, memory: 100 }).sentence).toContain('smaller size')
    expect(words({ cpu: 0, memory: 10 })).toMatchObject({ tone: 'info' })
    const slow = loadOf(run(10, (minute) => ({ cpu: 500, memory: 500, latency: minute * 1000 })))
    expect(verdictOf(slow, true).sentence).toContain('the source')
  })

  it('is not told without usage, or without a run', () => {
    expect(verdictOf(loadOf([blank]), true).tone).toBe('info')
    expect(verdictOf(null, true).tone).toBe('info')
    expect(verdictOf(loadOf(run(5, () => ({ cpu: 990, memory: 1 }))), false).tone).toBe('info')
  })

  it('never has a p95 above the largest share', () => {
    const one = record({ cpu: integer({ min: 0, max: 1000 }) })
    assert(
      property(array(one, { minLength: 1, maxLength: 30 }), (list) => {
        const load = loadOf(list.map(({ cpu }, at) => sample({ at, cpu, cpuLimit: 1000 })))
        expect(load?.cpu?.p95).toBeLessThanOrEqual(Math.max(...list.map(({ cpu }) => cpu)) / 1000)
      }),
    )
  })
})
