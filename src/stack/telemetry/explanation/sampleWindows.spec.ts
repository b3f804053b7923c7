import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleWindows } from './sampleWindows.ts'

const rowsByBucket = fc.array(fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 20_000 })), {
  minLength: 1,
  maxLength: 60,
})

test('windows are within the range, do not overlap, and have about as many rows as are read', () => {
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
        let read = 0
        for (const [at, { from, to, share }] of windows.entries()) {
          expect(from).toBeLessThan(to)
          expect(from).toBeGreaterThanOrEqual(windows[at - 1]?.to ?? span.from)
          expect(to).toBeLessThanOrEqual(span.to)
          expect(share).toBeGreaterThan(0)
          expect(share).toBeLessThanOrEqual(1)
          for (const [start, count] of buckets) if (start >= from && start < to) read += share * count
        }
        if (total <= most) expect(windows).toEqual([{ ...span, share: 1 }])
        expect(read).toBeLessThanOrEqual(most + 1e-6)
        // The last window may have no rows after it to take.
        expect(read).toBeGreaterThanOrEqual((31 / 32) * Math.min(most, total) - 1e-6)
      },
    ),
  )
})

test('windows are spread over the rows, and not over the time', () => {
  const buckets = new Map(Array.from({ length: 100 }, (_, at) => [at * 1000, at < 10 ? 9000 : 100]))
  const windows = sampleWindows(buckets, { from: 0, to: 100_000 }, 1000, 3200)
  // Places in the same bucket want more of its rows.
  expect(windows).toHaveLength(12)
  expect(windows.filter(({ to }) => to <= 10_000)).toHaveLength(10)
  expect(windows[0]).toEqual({ from: 0, to: 1000, share: 300 / 9000 })
  expect(windows.at(-1)).toMatchObject({ share: 1 })
})

test('all rows in one bucket are sampled where they are', () => {
  const windows = sampleWindows(new Map([[5000, 1_000_000]]), { from: 0, to: 100_000 }, 10, 20_000)
  expect(windows).toEqual([{ from: 5000, to: 5010, share: 0.02 }])
})
