import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chartQuery, granularities, granularitySeconds, maxBuckets } from './charts.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 0, 1)

describe('granularity', () => {
  test.each([
    [6 * 60_000, 15],
    [hour, 60],
    [6 * hour, 900],
    [day, 1800],
    [3 * day, 7200],
    [7 * day, 21_600],
    [30 * day, 43_200],
    [365 * day, 604_800],
    [6 * 365 * day, 2_592_000],
  ])('auto is %d ms → %d s', (range, seconds) => {
    expect(granularitySeconds('auto', start, start + range)).toBe(seconds)
  })

  test('auto makes at most 60 buckets for any range up to five years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 4 * 365 * day }), (range) => {
        expect(range / 1000 / granularitySeconds('auto', start, start + range)).toBeLessThanOrEqual(60 + 1)
      }),
    )
  })

  test('a longer range never has shorter buckets', () => {
    const range = fc.integer({ min: 1, max: 10 * 365 * day })
    fc.assert(
      fc.property(range, range, (a, b) => {
        const [shorter, longer] = a < b ? [a, b] : [b, a]
        expect(granularitySeconds('auto', start, start + shorter)).toBeLessThanOrEqual(
          granularitySeconds('auto', start, start + longer),
        )
      }),
    )
  })

  test('a given granularity has its length in seconds', () => {
    const seconds = granularities.map((granularity) => granularitySeconds(granularity, start, start + 1))
    expect(seconds).toEqual([
      30, 60, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
    ])
  })
})

describe('chart query', () => {
  const series = { sourceId: 'a'.repeat(24), aggFn: 'count', where: '', groupBy: [] }
  const query = (changes: object) =>
    chartQuery.safeParse({ startTime: start, endTime: start + hour, series: [series], ...changes })
  const problem = (changes: object) => {
    const [issue] = query(changes).error?.issues ?? []
    return issue && `${issue.path.join('.')}: ${issue.message}`
  }

  test('fills in omitted fields', () => {
    const { sourceId, aggFn } = series
    expect(query({ series: [{ sourceId, aggFn }] }).data).toEqual({
      startTime: start,
      endTime: start + hour,
      granularity: 'auto',
      series: [{ ...series, whereLanguage: 'lucene' }],
    })
  })

  test.each<[object, RegExp]>([
    [{ startTime: Math.floor(start / 1000) }, /^startTime: Timestamp must be in milliseconds/],
    [{ endTime: start }, /^endTime: endTime must be greater than startTime/],
    [{ series: [] }, /^series: Series array cannot be empty/],
    [{ series: Array.from({ length: 6 }, () => series) }, /^series: /],
    [{ series: [series, { ...series, groupBy: ['a'] }] }, /^series: All series must have the same groupBy fields/],
    [{ series: [{ ...series, level: 1.5 }] }, /^series\.0\.level: /],
    [{ granularity: '15s' }, /^granularity: /],
    [
      { granularity: '30s', endTime: start + 30_000 * (maxBuckets + 1) },
      /^granularity: the range holds 11001 buckets of 30s/,
    ],
  ])('is rejected for %j', (changes, message) => {
    expect(problem(changes)).toMatch(message)
  })

  test('accepts exactly as many buckets as an answer may hold', () => {
    expect(problem({ granularity: '30s', endTime: start + 30_000 * maxBuckets })).toBeUndefined()
  })
})
