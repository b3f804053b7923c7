import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleWindows } from './sampleWindows.ts'

const rowsByBucket = fc.array(fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 20_000 })), {
  minLength: 1,
  maxLength: 60,
})

test('windows are within the range, do not overlap, and have room for about as many rows as are read', () => {
  fc.assert(
    fc.property(
      rowsByBucket,
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 1, max: 50_000 }),
      (counts, bucketMs, most) => {
        const span = { from: 1_000_000, to: 1_000_000 + 501 * bucketMs }
        const buckets = new Map(counts.map(([place, count]) => [span.from + place * bucketMs, count]))
        const total = [...buckets.values()].reduce((sum, count) => sum + count, 0)
        const windows = sampleWindows(buckets, span, bucketMs, most)
        for (const [at, { from, to }] of windows.entries()) {
          expect(from).toBeLessThan(to)
          expect(from).toBeGreaterThanOrEqual(windows[at - 1]?.to ?? span.from)
          expect(to).toBeLessThanOrEqual(span.to)
        }
        if (total <= most) expect(windows).toEqual([{ ...span, rows: most }])
        else expect(windows.length).toBeGreaterThan(0)
      },
    ),
  )
})

test('windows are spread over the rows, and not over the time', () => {
  const buckets = new Map(Array.from({ length: 100 }, (_, at) => [at * 1000, at < 10 ? 9000 : 100]))
  const windows = sampleWindows(buckets, { from: 0, to: 100_000 }, 1000, 3200)
  expect(windows).toHaveLength(32)
  expect(windows.filter(({ to }) => to <= 10_000)).toHaveLength(30)
  // Each has 100 rows of a bucket.
  expect(windows[0]).toEqual({ from: 0, to: 12, rows: 100 })
})
