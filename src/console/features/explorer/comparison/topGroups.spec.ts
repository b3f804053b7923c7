import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineId } from '#console/charting/series/seriesNames.ts'
import type { Series } from '#console/ui/series/series.ts'
import { comparisonName, offsetOf, typedOffset } from './comparing.ts'
import { earlier } from '../lines.ts'
import { withOverlay } from '../overlay.ts'
import { topGroups } from './topGroups.ts'

const line = (series: string, name: string, values: readonly number[]): Series => ({
  id: lineId(series, [name]),
  label: name,
  points: values.map((value, at) => [at, value]),
  accumulates: true,
})
const sum = (lines: readonly Series[]) =>
  lines.reduce((all, { points }) => points.reduce((sum, [, value]) => sum + (value ?? 0), all), 0)

test('the largest groups of each series stay, and the others are one line that loses nothing', () => {
  const values = fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 })
  const groups = fc.array(values, { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(groups, groups, fc.integer({ min: 0, max: 10 }), (a, b, top) => {
      const lines = [a, b].flatMap((all, at) => all.map((values, of) => line('AB'[at] ?? '', `g${of}`, values)))
      const { lines: drawn, others } = topGroups(lines, top, true)
      expect(sum(drawn)).toBe(sum(lines))
      const kept = drawn.filter(({ colorName }) => colorName !== 'others')
      expect(kept.length + others).toBe(lines.length)
      if (top > 0)
        for (const letter of 'AB') {
          const totals = lines
            .filter(({ id }) => id.startsWith(letter))
            .map((series) => sum([series]))
            .toSorted((x, y) => y - x)
          const own = kept
            .filter(({ id }) => id.startsWith(letter))
            .map((series) => sum([series]))
            .toSorted((x, y) => y - x)
          expect(own).toEqual(totals.slice(0, top))
        }
      expect(sum(topGroups(lines, top, false).lines)).toBe(sum(kept))
    }),
  )
})

test('a comparison has the groups of what it is compared with', () => {
  const own = [line('A', 'big', [9]), line('A', 'small', [1]), line('A', 'tiny', [0.5])]
  const before = [line('A', 'big', [1]), line('A', 'small', [7]), line('A', 'gone', [3])]
  const compared = earlier(before, { earlier: 0, bucketMs: 1, zone: 'utc' }, 'previous day')
  const all = [...own, ...compared]
  const { lines } = topGroups(all, 1, true)
  expect(lines.map(({ label, ghost = false, points }) => [label, ghost, points[0]?.[1]])).toEqual([
    ['big', false, 9],
    ['big (previous day)', true, 1],
    ['2 others', false, 1.5],
    ['2 others (previous day)', true, 10],
  ])
  expect(lines.at(-1)?.like).toBe(lines.at(-2)?.id)
  const overlaid = topGroups(withOverlay(own, before, { own: 'eu', other: 'us' }), 1, true).lines
  expect(lines.every(({ accumulates }) => accumulates)).toBe(true)
  expect(overlaid.slice(-2).map(({ label }) => label)).toEqual(['2 others', '2 others · us'])
})

test('offsets of a comparison are whole buckets, and have names', () => {
  const hour = 3_600_000
  expect(offsetOf('previous', 1)).toBeNull()
  expect(offsetOf('1d', hour)).toBe(24 * hour)
  expect(offsetOf('90m', hour)).toBe(2 * hour)
  expect(['off', 'previous', '1d', '1w', '3d', '90m'].map(comparisonName).slice(1)).toEqual([
    'Previous period',
    'Previous day',
    'Previous week',
    '3 days before',
    '90 minutes before',
  ])
  expect(['3 D', '90m', '0d', 'x', ''].map(typedOffset)).toEqual(['3d', '90m', null, null, null])
})
