import { assert, array, integer, property, record, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { loadOf } from './load.ts'
import { bucketMs, gaugePoints, lastRate, ratePoints } from './series.ts'
import { sampleAt } from './testSamples.ts'
import { throughputMeasure, throughputWords } from './throughput.ts'
import { verdictOf } from './verdict.ts'

const sample = ({ at = 0, ...fields }: Partial<PipeSample>) => sampleAt(at, fields)
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
    const slow = hidden.map((one) => ({ ...one, pace: 300_000 }))
    expect(ratePoints(slow, events).every(([, rate]) => rate === 10)).toBe(true)
    expect(lastRate(slow, events)).toBe(10)
  })

  it('do not jump over a counter that starts anew within a bucket, or over a gap', () => {
    const counts = [0, 100, 10, 300, 400, 500, 600, 700, 800]
    const anew = counts.map((fetchedEvents, at) => sample({ at: at * 5000, fetchedEvents }))
    expect(ratePoints(anew, events, 20_000)).toEqual([
      [0, null],
      [20_000, 20],
    ])
    const gap = anew.filter((_, at) => at < 5 || at > 6).map((one) => ({ ...one, pace: 4000 }))
    expect(ratePoints(gap, events, 20_000).map(([, rate]) => rate)).toEqual([null, null])
  })

  it('never lie outside of what the counter did between two samples', () => {
    const steps = array(tuple(integer({ min: 1, max: 60_000 }), integer({ min: -500, max: 1000 })), {
      minLength: 2,
      maxLength: 20,
    })
    assert(
      property(steps, integer({ min: 2000, max: 30_000 }), (list, step) => {
        let [at, count] = [0, 0]
        const samples = list.map(([wait, more]) => {
          at += wait
          count = Math.max(0, count + more)
          return sample({ at, fetchedEvents: count })
        })
        const rates = samples.slice(1).map((one, index) => {
          const before = samples[index]
          return (((one.fetchedEvents ?? 0) - (before?.fetchedEvents ?? 0)) / (one.at - (before?.at ?? 0))) * 1000
        })
        for (const [, rate] of ratePoints(samples, events, step)) {
          expect(rate ?? 0).toBeGreaterThanOrEqual(0)
          expect(rate ?? 0).toBeLessThanOrEqual(Math.max(0, ...rates) + 1e-6)
        }
      }),
    )
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

describe('throughput', () => {
  const two = (fields: (at: number) => Partial<PipeSample>) => [0, 10_000].map((at) => sampleAt(at, fields(at)))

  it('is told in records where they are counted, in bytes where nothing else is', () => {
    expect(throughputWords(two((at) => ({ fetchedEvents: at, fetchedBytes: at })))).toBe('1k')
    expect(throughputWords(two((at) => ({ fetchedBytes: (at / 1000) * 2 ** 20 })))).toBe('1 MiB/s')
    expect(throughputWords(two(() => ({ errors: 1 })))).toBe('')
    expect(throughputWords([])).toBe('')
    expect(throughputMeasure(two(() => ({})))).toBeNull()
  })
})

describe('what a pipe is short of', () => {
  const run = (minutes: number, fields: (minute: number) => Partial<PipeSample>) =>
    Array.from({ length: minutes + 1 }, (_, at) =>
      sample({ at: at * 60_000, pace: 60_000, cpuLimit: 1000, memoryLimit: 1000, ...fields(at) }),
    )

  it('is CPU alone where memory has room', () => {
    const load = loadOf(run(22, (minute) => ({ cpu: 970, memory: 700, latency: 1000 + minute * 500 })))
    expect(load?.cpu).toEqual({ used: 970, limit: 1000, p95: 0.97 })
    expect(verdictOf(load, true).sentence).toBe(
      'CPU has been at its limit for 22 minutes and latency is rising: CPU is short, memory is not.',
    )
  })

  it('counts only the time without a break', () => {
    const load = loadOf(run(20, (minute) => ({ cpu: minute === 15 ? 100 : 950, memory: 100, latency: 5 })))
    expect(load?.cpuFull).toBe(4 * 60_000)
    const hidden = run(20, () => ({ cpu: 950 })).filter((_, at) => at < 10 || at > 14)
    expect(loadOf(hidden)?.cpuFull).toBe(5 * 60_000)
    expect(loadOf(run(20, () => ({ cpu: 950 })))?.cpuFull).toBe(20 * 60_000)
  })

  it('is memory, both, the source, or nothing', () => {
    const words = (fields: Partial<PipeSample>) => verdictOf(loadOf(run(10, () => fields)), true)
    expect(words({ cpu: 100, memory: 990 }).sentence).toContain('memory is short, CPU is not')
    expect(words({ cpu: 990, memory: 990 }).sentence).toContain('both are short')
    expect(words({ cpu: 500, memory: 500 })).toMatchObject({ tone: 'success' })
    expect(words({ cpu: 500, memory: null }).sentence).toContain('enough CPU; what is used of memory is not reported')
    expect(words({ cpu: 100, memory: 100 })).toMatchObject({
      sentence: expect.stringContaining('At most 10 %'),
      wants: 'less',
    })
    expect(words({ cpu: 0, memory: 10 })).toMatchObject({ tone: 'info' })
    const slow = loadOf(run(10, (minute) => ({ cpu: 500, memory: 500, latency: minute * 1000 })))
    expect(verdictOf(slow, true).sentence).toContain('the source')
  })

  it('is nothing while a backlog is caught up with', () => {
    const after = run(10, (minute) => ({ cpu: 960, memory: 920, latency: 60_000 - minute * 5_000 }))
    expect(verdictOf(loadOf(after), true)).toMatchObject({
      tone: 'info',
      sentence:
        'CPU and memory have been at their limits for 10 minutes, but latency is falling: the pipe catches up with what has waited.',
      wants: null,
    })
  })

  it('is told of this size alone: what a former one did does not count', () => {
    const before = run(10, () => ({ cpu: 990, memory: 990, latency: 90_000 }))
    const after = run(10, () => ({ cpu: 1000, cpuLimit: 2000, memory: 1000, memoryLimit: 2000, latency: 500 })).map(
      (one) => ({ ...one, at: one.at + 11 * 60_000 }),
    )
    expect(loadOf([...before, ...after])).toEqual(loadOf(after))
    const soon = loadOf([...before, ...after.slice(0, 3)])
    expect(soon).toMatchObject({ settling: true, cpu: { p95: 0.5 } })
  })

  it('is not told of a size that is too new', () => {
    const asked = run(10, () => ({ cpu: 990, latency: 90_000 }))
    expect(verdictOf(loadOf(asked, 8 * 60_000), true).wants).toBeNull()
    expect(verdictOf(loadOf(asked, 60_000), true).wants).toBe('more')
    const before = run(5, () => ({ cpu: 990, latency: 90_000 }))
    const after = run(5, () => ({ cpu: 1990, cpuLimit: 2000, latency: 90_000 })).map((one) => ({
      ...one,
      at: one.at + 6 * 60_000,
    }))
    const verdicts = [2, 4].map((minutes) => verdictOf(loadOf([...before, ...after.slice(0, minutes + 1)]), true))
    expect(verdicts).toMatchObject([
      { tone: 'info', sentence: expect.stringContaining('The size changed just now'), wants: null },
      { tone: 'warning', wants: 'more' },
    ])
  })

  it('is not told without usage, or without a run', () => {
    expect(verdictOf(loadOf([sampleAt(0)]), true).tone).toBe('info')
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
