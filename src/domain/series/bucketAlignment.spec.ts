import { assert, constantFrom, integer, property, tuple } from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { granularities, granularitySeconds } from '#contract/stack/charts.ts'
import { previousPeriodOffset, alignMetricBuckets, alignToBuckets } from './bucketAlignment.ts'

const start = Date.parse('2026-11-20T00:00:00Z')

const anyRange = tuple(
  integer({ min: 1, max: 90 * 86_400_000 }),
  integer({ min: 0, max: 86_400_000 }),
  constantFrom('auto' as const, ...granularities),
).map(([length, at, granularity]) => ({ span: { from: start + at, to: start + at + length }, granularity }))

test('a range is extended to whole buckets by less than one, and keeps their length', () => {
  assert(
    property(anyRange, ({ span, granularity: g }) => {
      const whole = alignToBuckets(span, g, 'utc')
      expect(whole.bucketMs).toBe(granularitySeconds(g, span.from, span.to) * 1000)
      expect(whole.span.to).toBe(span.to)
      expect(Math.abs(span.from - whole.span.from)).toBeLessThan(whole.bucketMs)
      expect(whole.span.from).toBeLessThan(span.to)
      if (whole.span.from !== span.from) expect(whole.span.from % whole.bucketMs).toBe(0)
      // Fifteen seconds have no name: a longer range might get other buckets.
      if (whole.granularity === 'auto') expect(whole.span.from).toBeGreaterThanOrEqual(span.from)
      else expect(whole.span.from).toBeLessThanOrEqual(span.from)
      expect(granularitySeconds(whole.granularity, whole.span.from, whole.span.to) * 1000).toBe(whole.bucketMs)
      const before = previousPeriodOffset(whole.span, whole.bucketMs)
      expect(before % whole.bucketMs).toBe(0)
      expect(before).toBeGreaterThanOrEqual(whole.span.to - whole.span.from)
    }),
  )
})

test('a metric range starts and ends between buckets, and contains the range', () => {
  assert(
    property(anyRange, ({ span, granularity: g }) => {
      const { span: aligned, granularity, bucketMs, end = 0 } = alignMetricBuckets(span, g, 'utc')
      expect(granularity).not.toBe('auto')
      expect(granularitySeconds(granularity, 0, 0) * 1000).toBe(bucketMs)
      expect([aligned.from % bucketMs, (end + 1) % bucketMs]).toEqual([0, 0])
      expect(aligned.from).toBeLessThanOrEqual(span.from)
      expect(span.from - aligned.from).toBeLessThan(bucketMs)
      expect(end + 1).toBeGreaterThanOrEqual(span.to)
      expect(end + 1 - span.to).toBeLessThan(bucketMs)
    }),
  )
})

describe('in a zone whose clocks change', () => {
  const before = process.env.TZ
  beforeEach(() => {
    process.env.TZ = 'Europe/Berlin'
  })
  afterEach(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })

  const span = { from: Date.parse('2026-10-24T10:00Z'), to: Date.parse('2026-10-26T10:00Z') }
  const text = (time: number | undefined) => time !== undefined && new Date(time).toISOString()

  test('days are asked for from local midnight, with the zone', () => {
    const days = alignToBuckets(span, '1d', 'local')
    expect([text(days.span.from), days.timezone]).toEqual(['2026-10-23T22:00:00.000Z', 'Europe/Berlin'])
    expect(alignToBuckets(span, '1d', 'utc')).toMatchObject({ span: { from: Date.parse('2026-10-24T00:00Z') } })
    expect(alignToBuckets(span, '1d', 'utc').timezone).toBeUndefined()
    expect(alignToBuckets(span, '5m', 'local').timezone).toBeUndefined()
  })

  test('a metric range ends at local midnight, after a day of 25 hours too', () => {
    const days = alignMetricBuckets(span, '1d', 'local')
    expect([text(days.span.from), text(days.end)]).toEqual(['2026-10-23T22:00:00.000Z', '2026-10-26T22:59:59.999Z'])
    const untilChange = alignMetricBuckets({ ...span, to: Date.parse('2026-10-25T10:00Z') }, '1d', 'local')
    expect(text(untilChange.end)).toBe('2026-10-25T22:59:59.999Z')
  })
})
