import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ComparedPart } from './comparedParts.ts'
import { sampledParts } from './readComparedRows.ts'

const condition = { text: '', language: 'lucene' as const }
const part = (side: ComparedPart['side'], place: number, rows: number): ComparedPart => {
  const span = { from: place * 100_000, to: (place + 1) * 100_000 }
  return { side, span, condition, counts: new Map([[span.from, rows]]), bucketMs: 100_000 }
}
const readOf = (parts: readonly ComparedPart[], from: number) =>
  sampledParts(parts)
    .filter(({ span }) => span.from >= from && span.from < from + 100_000)
    .reduce((sum, { maxResults }) => sum + maxResults, 0)

test('a small part has as many rows as are its share', () => {
  const parts = [
    part('inside', 0, 5000),
    part('outside', 1, 60_000),
    part('outside', 2, 1000),
    part('outside', 3, 59_000),
  ]
  expect([0, 1, 2, 3].map((place) => readOf(parts, place * 100_000))).toEqual([1200, 600, 10, 590])
  expect(sampledParts(parts).map(({ maxResults }) => maxResults)).toEqual([400, 400, 400, 300, 300, 10, 295, 295])
})

test('all rows of a side with few are read', () => {
  const parts = [part('inside', 0, 5), part('outside', 1, 1190), part('outside', 2, 0), part('outside', 3, 10)]
  expect(sampledParts(parts).map(({ span, maxResults }) => [span, maxResults])).toEqual(
    [0, 1, 3].map((place) => [parts[place]?.span, 1200]),
  )
})

test('each part has its share of the rows that are read, to less than one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 1, maxLength: 3 }), (counts) => {
      const total = counts.reduce((sum, count) => sum + count, 0)
      const parts = counts.map((rows, place) => part('outside', place, rows))
      if (total <= 1200) return
      const read = parts.map(({ span }) => readOf(parts, span.from))
      expect(read.reduce((sum, value) => sum + value, 0)).toBe(1200)
      for (const [at, rows] of counts.entries()) expect(Math.abs(read[at]! - (rows * 1200) / total)).toBeLessThan(1)
    }),
  )
})
