import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tailInterval, tailStart, withTail } from './liveTail.ts'
import type { ResultRow } from '#console/charting/rows/columns.ts'
import type { RowsPage } from './query/useSearchRows.ts'

const rowAt = (at: number): ResultRow => ({ key: String(at), time: '', at, traceId: '', spanId: '', values: [] })
const span = { from: 0, to: 1_000_000 }
const pageOf = (times: readonly number[], more = false): RowsPage => ({
  rows: times.map(rowAt),
  columns: [],
  span,
  took: 1,
  readAt: span.to,
  more,
})
const loaded = (...pages: RowsPage[]) => ({
  pages,
  pageParams: pages.map((_, at) => ({ offset: at * 10, span: at === 0 ? null : span })),
})
const timesOf = ({ pages }: { pages: RowsPage[] }) => pages.flatMap(({ rows }) => rows.map(({ at }) => at))

test('after any reads the list is what one search would return, late rows included', () => {
  const time = fc.integer({ min: 900_000, max: 999_999 })
  fc.assert(
    fc.property(fc.array(time, { maxLength: 40 }), fc.array(fc.integer({ min: 0, max: 60_000 })), (before, later) => {
      const newestFirst = (times: number[]) => times.toSorted((a, b) => b - a)
      const known = newestFirst(before)
      const data = loaded(pageOf(known))
      const start = tailStart(data)
      // Late by less than the newest row's 30 seconds.
      const arrived = later.map((after) => Math.max(start, (known[0] ?? 0) - 30_000) + after)
      const fresh = newestFirst([...known.filter((at) => at >= start), ...arrived])
      const next = withTail(data, fresh.map(rowAt), { start, end: 1_100_000 })
      expect(timesOf(next)).toEqual(newestFirst([...before, ...arrived]))
      expect(next.pages[0]?.span.to).toBe(1_100_000)
    }),
  )
})

test('further pages stay, and are read in the same range from then on', () => {
  const data = loaded(pageOf([40_000, 39_000, 38_000], true), pageOf([38_000, 37_000]))
  const start = tailStart(data)
  expect(start).toBe(38_001)
  const next = withTail(data, [41_000, 40_000, 39_000].map(rowAt), { start, end: 50_000 })
  expect(timesOf(next)).toEqual([41_000, 40_000, 39_000, 38_000, 38_000, 37_000])
  expect(next.pages.map((page) => page.span.to)).toEqual([50_000, 50_000])
})

test('more new rows than one read replace the list', () => {
  const fresh = Array.from({ length: 1000 }, (_, at) => rowAt(2_000_000 - at))
  const next = withTail(loaded(pageOf([5]), pageOf([4])), fresh, { start: 0, end: 3_000_000 })
  expect(next.pages).toHaveLength(1)
  expect(next.pages[0]?.more).toBe(true)
})

test('the interval grows with what is used of the rate limit, and never shrinks with failures', () => {
  const pace = { took: 20, failures: 0, now: 0 }
  const left = (remaining: number) => tailInterval({ ...pace, rateLimit: { limit: 100, remaining, resetAt: 60_000 } })
  expect(tailInterval({ ...pace, rateLimit: undefined })).toBe(2000)
  expect([left(100), left(20), left(4)]).toEqual([2400, 6000, 60_000])
  const limits = fc.record({
    limit: fc.integer({ min: 1, max: 1000 }),
    remaining: fc.nat(1000),
    resetAt: fc.nat(60_000),
  })
  fc.assert(
    fc.property(limits, fc.nat(10), (rateLimit, failures) => {
      const interval = tailInterval({ ...pace, failures, rateLimit })
      expect(interval).toBeGreaterThanOrEqual(2000)
      expect(interval).toBeLessThanOrEqual(60_000)
      expect(interval).toBeLessThanOrEqual(tailInterval({ ...pace, failures: failures + 1, rateLimit }))
      // At most a quarter of the limit, unless that is less than one request a minute.
      if (rateLimit.limit >= 4) expect(60_000 / interval).toBeLessThanOrEqual(rateLimit.limit / 4 + 1e-9)
    }),
  )
})
