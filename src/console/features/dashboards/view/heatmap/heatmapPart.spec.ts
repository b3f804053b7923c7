import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { heatmapScale } from '#domain/series/heatmap.ts'
import {
  bucketStarts,
  partBetween,
  rangeText,
  rectangleOf,
  rectangleOfArea,
  rowsIn,
  timesOf,
  valuesOf,
} from './heatmapPart.ts'

const minute = 60_000
const span = { from: 90_000, to: 10 * minute }
const cells = [
  new Map([[2 * minute, 4]]),
  new Map<number, number>(),
  new Map([
    [3 * minute, 2],
    [9 * minute, 1],
  ]),
]
const scale = { kind: 'linear' as const, edges: [0, 10, 20, 30], hasLower: false }

test('buckets cover the range, and begin where those with rows do', () => {
  expect(bucketStarts(cells, span, minute)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => at * minute))
  expect(bucketStarts([new Map()], span, 5 * minute)).toEqual([90_000, 390_000])
  const cases = fc.record({
    known: fc.nat(1e6),
    from: fc.nat(1e6),
    length: fc.integer({ min: 1, max: 1e6 }),
    bucketMs: fc.integer({ min: 1000, max: 1e5 }),
  })
  fc.assert(
    fc.property(cases, ({ known, from, length, bucketMs }) => {
      const to = from + length
      const starts = bucketStarts([new Map([[known, 1]])], { from, to }, bucketMs)
      expect(starts[0]).toBeLessThanOrEqual(from)
      expect(starts[0]! + bucketMs).toBeGreaterThan(from)
      expect(starts.at(-1)! + bucketMs).toBeGreaterThanOrEqual(to)
      expect(starts.every((start) => (start - known) % bucketMs === 0)).toBe(true)
    }),
  )
})

test('a part is a range of time and of values, whichever corners it has', () => {
  const starts = bucketStarts(cells, span, minute)
  const part = partBetween({ column: 2, row: 1 }, { column: 0, row: 2 })
  expect(part).toEqual(partBetween({ column: 0, row: 1 }, { column: 2, row: 2 }))
  expect(timesOf(part, starts, span, minute)).toEqual({ from: 90_000, to: 4 * minute })
  expect(valuesOf(part, scale)).toEqual({ from: 10, to: null })
  expect(rowsIn(part, cells, starts)).toBe(2)
  expect(rangeText(scale, 1, 2, 'number')).toBe('10 to 30')
  expect(timesOf(partBetween({ column: 8, row: 0 }, { column: 8, row: 0 }), starts, span, minute)).toEqual({
    from: 9 * minute,
    to: 10 * minute,
  })
})

test('the first and the last row have no end', () => {
  const whole = partBetween({ column: 0, row: 0 }, { column: 0, row: 2 })
  expect(valuesOf(whole, scale)).toEqual({ from: null, to: null })
  expect(valuesOf(partBetween({ column: 0, row: 0 }, { column: 0, row: 0 }), scale)).toEqual({ from: null, to: 10 })
  const single = heatmapScale('log', { low: 5, high: 5 })
  expect(valuesOf(partBetween({ column: 0, row: 0 }, { column: 0, row: 0 }), single)).toEqual({ from: null, to: null })
  expect(rangeText({ ...scale, hasLower: true }, 0, 1, 'ms')).toBe('up to 20 ms')
})

test('the mark of a part is in its place, and keeps its times and values when the range and the scale move', () => {
  const starts = bucketStarts(cells, span, minute)
  const part = partBetween({ column: 2, row: 1 }, { column: 4, row: 1 })
  const area = { span: timesOf(part, starts, span, minute), values: valuesOf(part, scale) }
  expect(area).toEqual({ span: { from: 3 * minute, to: 6 * minute }, values: { from: 10, to: 20 } })
  expect(rectangleOfArea(area, scale, span)).toEqual(rectangleOf(part, starts, span, minute))
  const moved = { from: 5 * minute, to: 15 * minute }
  expect(rectangleOfArea(area, { ...scale, edges: [0, 20, 40] }, moved)).toEqual({
    span: { from: 5 * minute, to: 6 * minute },
    bottom: 0.5,
    top: 1,
  })
  expect(rectangleOfArea(area, { ...scale, kind: 'log', edges: [1, 100] }, span)).toMatchObject({ bottom: 0.5 })
  expect(rectangleOfArea(area, scale, { from: 6 * minute, to: 9 * minute })).toBeNull()
  expect(rectangleOfArea(area, { ...scale, edges: [30, 40, 50] }, span)).toBeNull()
  expect(rectangleOfArea({ ...area, values: { from: null, to: null } }, scale, span)).toMatchObject({
    bottom: 0,
    top: 3,
  })
})
