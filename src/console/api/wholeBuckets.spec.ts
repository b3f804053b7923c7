import { assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { granularities, granularitySeconds } from '#contract/charts.ts'
import { periodBefore, withWholeBuckets } from './wholeBuckets.ts'

const start = Date.parse('2026-11-20T00:00:00Z')

test('a range begins with a whole bucket, less than one earlier, and is told in the same buckets', () => {
  const anyRange = integer({ min: 1, max: 90 * 86_400_000 })
  assert(
    property(
      anyRange,
      integer({ min: 0, max: 86_400_000 }),
      constantFrom('auto', ...granularities),
      (length, at, g) => {
        const span = { from: start + at, to: start + at + length }
        const whole = withWholeBuckets(span, g)
        expect(whole.bucketMs).toBe(granularitySeconds(g, span.from, span.to) * 1000)
        expect(whole.span.to).toBe(span.to)
        expect(span.from - whole.span.from).toBeGreaterThanOrEqual(0)
        expect(span.from - whole.span.from).toBeLessThan(whole.bucketMs)
        if (whole.granularity === 'auto') expect(whole.span).toEqual(span)
        else {
          expect(whole.span.from % whole.bucketMs).toBe(0)
          expect(granularitySeconds(whole.granularity, whole.span.from, whole.span.to) * 1000).toBe(whole.bucketMs)
        }
        const before = periodBefore(whole.span, whole.bucketMs)
        expect(before % whole.bucketMs).toBe(0)
        expect(before).toBeGreaterThanOrEqual(whole.span.to - whole.span.from)
      },
    ),
  )
})
