import { assert, array, integer, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { bucketMs, gaugePoints, lastRate, ratePoints } from './series.ts'
import { sampleAt } from '#contract/testing/metricSamples.ts'

const sample = ({ at = 0, ...fields }: Partial<PipeSample>) => sampleAt(at, fields)
const events = (pipeSample: PipeSample) => pipeSample.fetchedEvents

describe('rates', () => {
  it('match the counter, whatever the sample times', () => {
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

  it('have a gap at a counter reset and where sampling paused', () => {
    const reset = [0, 5, 10, 15, 20].map((second) =>
      sample({ at: second * 1000, fetchedEvents: second < 12 ? second * 10 : (second - 12) * 10 }),
    )
    expect(ratePoints(reset, events).map(([, rate]) => rate)).toEqual([10, 10, null, 10])
    const hidden = [sample({ at: 0, fetchedEvents: 0 }), sample({ at: 600_000, fetchedEvents: 6000 })]
    expect(ratePoints(hidden, events).every(([, rate]) => rate === null)).toBe(true)
    expect(lastRate(hidden, events)).toBeNull()
    const slow = hidden.map((pipeSample) => ({ ...pipeSample, pace: 300_000 }))
    expect(ratePoints(slow, events).every(([, rate]) => rate === 10)).toBe(true)
    expect(lastRate(slow, events)).toBe(10)
  })

  it('do not bridge a counter reset within a bucket, or a gap', () => {
    const counts = [0, 100, 10, 300, 400, 500, 600, 700, 800]
    const restarted = counts.map((fetchedEvents, at) => sample({ at: at * 5000, fetchedEvents }))
    expect(ratePoints(restarted, events, 20_000)).toEqual([
      [0, null],
      [20_000, 20],
    ])
    const gap = restarted.filter((_, at) => at < 5 || at > 6).map((pipeSample) => ({ ...pipeSample, pace: 4000 }))
    expect(ratePoints(gap, events, 20_000).map(([, rate]) => rate)).toEqual([null, null])
  })

  it('stay within the rates between two samples', () => {
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
        const rates = samples.slice(1).map((pipeSample, index) => {
          const before = samples[index]
          return (
            (((pipeSample.fetchedEvents ?? 0) - (before?.fetchedEvents ?? 0)) / (pipeSample.at - (before?.at ?? 0))) *
            1000
          )
        })
        for (const [, rate] of ratePoints(samples, events, step)) {
          expect(rate ?? 0).toBeGreaterThanOrEqual(0)
          expect(rate ?? 0).toBeLessThanOrEqual(Math.max(0, ...rates) + 1e-6)
        }
      }),
    )
  })

  it('use the same buckets as gauges', () => {
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
