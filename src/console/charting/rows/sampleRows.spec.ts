import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { windowsOf } from './sampleRows.ts'

const minute = 60_000

test('windows are the whole range without gaps, whatever was counted', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(500), { maxLength: 60 }),
      fc.integer({ min: 1, max: 3_600_000 }),
      fc.integer({ min: 1, max: 12 }),
      (rows, length, count) => {
        const span = { from: 10 * minute, to: 10 * minute + length }
        const counts = new Map(rows.map((value, at) => [10 * minute + at * minute, value]))
        const windows = windowsOf(counts, span, minute, count)
        expect(windows.length).toBeLessThanOrEqual(count)
        expect(windows[0]?.from).toBe(span.from)
        expect(windows.at(-1)?.to).toBe(span.to)
        for (const [at, { from, to }] of windows.entries()) {
          expect(to).toBeGreaterThan(from)
          if (at > 0) expect(from).toBe(windows[at - 1]?.to)
        }
      },
    ),
  )
})

test('a busy bucket has as many windows as its rows are worth', () => {
  const counts = new Map([0, 1, 2, 3].map((at) => [at * minute, at === 2 ? 970 : 10]))
  const windows = windowsOf(counts, { from: 0, to: 4 * minute }, minute, 10)
  expect(windows).toHaveLength(10)
  expect(windows.filter(({ from, to }) => from >= 2 * minute && to <= 3 * minute)).toHaveLength(8)
})

test('where nothing was counted, windows are of the same length', () => {
  expect(windowsOf(new Map(), { from: 0, to: 400 }, 100, 4).map(({ to }) => to)).toEqual([100, 200, 300, 400])
})
