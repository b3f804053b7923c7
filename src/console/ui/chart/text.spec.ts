import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chartKey } from './useChartInput.ts'
import { csvText, frameLines } from '../series/csv.ts'
import { formatUnit, type NumberFormat } from '#domain/charts/numberFormat.ts'
import { storedUnit } from '#domain/charts/unitNames.ts'
import { changesOf, type LegendRow, sortedLegend } from '../series/legend.ts'
import { defaultStyle } from '../series/palette.ts'
import { frameOf, type Series } from '../series/series.ts'
import { frameStats, statsOf } from '../series/stats.ts'
import { summarySentence } from '../series/summary.ts'
import { maxTooltipRows, tooltipRows } from '../series/tooltipRows.ts'

const start = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000
const series = (id: string, values: (number | null)[]): Series => ({
  id,
  label: id,
  points: values.map((value, index) => [start + index * minute, value]),
})

describe('summary', () => {
  const sentence = (...all: Series[]) => {
    const frame = frameOf(all)
    return summarySentence({
      frame,
      stats: frameStats(frame, () => true),
      bucketMs: minute,
      zone: 'utc',
      unit: 'number',
    })
  }

  test('describes one series by its extremes with their times, last value and trend', () => {
    const text = sentence(series('count', [1, 1, 5, 2, 2, 3, 3, 4, 4, 4]))
    for (const part of ['lowest 1 (10:00)', 'highest 5 (10:02)', 'last 4', 'rising', '1 minute'])
      expect(text).toContain(part)
  })

  test('describes several series by their number, the highest and the lowest', () => {
    const text = sentence(series('cart', [3, 4]), series('web', [9, null]), { ...series('old', [99]), ghost: true })
    for (const part of ['2 series', '9 in web (10:00)', '3 in cart (10:00)']) expect(text).toContain(part)
  })

  test('reports an empty chart', () => expect(sentence(series('a', [null]))).toContain('No values'))

  test('does not use an incomplete last bucket as the last value', () => {
    const frame = frameOf([series('a', [5, 6, 1])])
    expect(frameStats(frame, (time) => time < start + 2 * minute).get('a')).toMatchObject({ last: 6, min: 5 })
  })

  test('counts an incomplete last bucket where it can: a new peak of counts, and all of what does not accumulate', () => {
    const frame = frameOf([series('a', [5, 6, 9])])
    const until = (time: number) => time < start + 2 * minute
    expect(frameStats(frame, until).get('a')).toMatchObject({ last: 6, mean: 5.5, max: 9, total: 20 })
    expect(frameStats(frame, until, false).get('a')).toMatchObject({ last: 9, min: 5, max: 9, mean: 20 / 3 })
    const mixed = frameOf([
      { ...series('count', [5, 6, 1]), accumulates: true },
      { ...series('p95', [5, 6, 4]), accumulates: false },
    ])
    for (const other of [true, false]) {
      const stats = frameStats(mixed, until, other)
      expect(stats.get('count')).toMatchObject({ min: 5, mean: 5.5, max: 6, last: 6, total: 12 })
      expect(stats.get('p95')).toMatchObject({ min: 4, mean: 5, max: 6, last: 4 })
    }
  })
})

describe('tooltip', () => {
  test('shows the largest series without zeros, at most ten, and the highlighted one', () => {
    const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constant(0)), {
      minLength: 1,
      maxLength: 60,
    })
    fc.assert(
      fc.property(values, fc.nat(59), (values, at) => {
        const frame = frameOf(values.map((value, index) => series(String(index), [value])))
        const near = String(at % values.length)
        const { rows, more, zeros, total } = tooltipRows(frame, 0, near)
        const listed = values.filter((value, index) => value !== 0 || String(index) === near).length
        expect(rows.length).toBe(Math.min(listed, maxTooltipRows))
        expect([more, zeros]).toEqual([listed - rows.length, values.length - listed])
        expect(rows.filter(({ value, series }) => value === 0 && series.id !== near)).toEqual([])
        expect(rows.map(({ series }) => series.id)).toContain(near)
        expect(rows.map(({ value }) => value)).toEqual(rows.map(({ value }) => value).toSorted((a, b) => b - a))
        expect(total).toBe(values.reduce((a, b) => a + b, 0))
      }),
    )
  })
})

describe('keys', () => {
  const press = (key: string, shiftKey = false) => ({ key, shiftKey, ctrlKey: false, metaKey: false, altKey: false })

  test('arrow keys start at the last bucket and stay within the chart', () => {
    expect(chartKey(press('ArrowRight'), -1, 5)).toEqual({ kind: 'move', index: 4, select: false })
    expect(chartKey(press('ArrowLeft', true), 2, 5)).toEqual({ kind: 'move', index: 1, select: true })
    expect(chartKey(press('ArrowLeft'), 0, 5)).toMatchObject({ index: 0 })
    expect(chartKey(press('PageDown'), 2, 5)).toMatchObject({ index: 4 })
    expect(chartKey(press('Home'), 2, 5)).toMatchObject({ index: 0 })
  })

  test('keyboard shortcuts of the page are not handled', () => {
    expect(chartKey({ ...press('Enter'), ctrlKey: true }, 0, 5)).toBeNull()
    expect(chartKey(press('Tab'), 0, 5)).toBeNull()
    expect(chartKey(press('ArrowLeft'), 0, 0)).toBeNull()
  })
})

test('the legend says how series changed against what they are compared with', () => {
  const all = [
    series('a', [3, 3]),
    series('b', [1, 1]),
    { ...series('before a', [2, 2]), ghost: true, like: 'a' },
    { ...series('before b', [0, 0]), ghost: true, like: 'b' },
    series('new', [1]),
  ]
  const stats = frameStats(frameOf(all), () => true)
  const rows = all.map((one): LegendRow => ({
    series: one,
    style: defaultStyle,
    stats: stats.get(one.id),
    hidden: false,
    overLimit: false,
  }))
  expect([...changesOf(rows)]).toEqual([
    ['a', '+50 %'],
    ['b', '–'],
  ])
})

test('sorts the legend by any column, rows without values last', () => {
  const row = (id: string, values: number[]): LegendRow => ({
    series: series(id, values),
    style: defaultStyle,
    stats:
      statsOf(
        values.map((_, index) => index),
        values,
      ) ?? undefined,
    hidden: false,
    overLimit: false,
  })
  const rows = [row('b10', [1]), row('b9', [3]), row('a', [])]
  const ids = (sorted: LegendRow[]) => sorted.map((legendRow) => legendRow.series.id)
  expect(ids(sortedLegend(rows, 'label', false))).toEqual(['a', 'b9', 'b10'])
  expect(ids(sortedLegend(rows, 'max', true))).toEqual(['b9', 'b10', 'a'])
  expect(ids(sortedLegend(rows, 'max', false))).toEqual(['b10', 'b9', 'a'])
})

describe('CSV', () => {
  test('has every value at its time, and nothing for a missing one', () => {
    const text = csvText(frameLines(frameOf([series('a', [1, null]), series('b,"c"', [0.5, 2])])))
    expect(text).toBe('time,a,"b,""c"""\r\n2026-11-20T10:00:00.000Z,1,0.5\r\n2026-11-20T10:01:00.000Z,,2\r\n')
  })

  test('names the unit of values as they are stored', () => {
    const all = ['ns', 'us', 'bytes', 'percent', '{request}', 'number', undefined].map((unit, at): Series => ({
      ...series(`s${at}`, [1_500_000]),
      ...(unit !== undefined && { unit }),
    }))
    const [header] = frameLines(frameOf(all))
    expect(header).toEqual(['time', 's0 (ns)', 's1 (µs)', 's2 (B)', 's3 (%)', 's4 ({request})', 's5', 's6'])
    expect(frameLines(frameOf(all))[1]?.slice(1)).toEqual(all.map(() => '1500000'))
  })

  test('names the unit of a number format where it is that of the stored values', () => {
    const unitOf = (format: NumberFormat) => storedUnit(formatUnit(format))
    expect(unitOf({ output: 'duration', factor: 1e-9 })).toBe('ns')
    expect(unitOf({ output: 'duration' })).toBe('s')
    expect(unitOf({ output: 'byte', numericUnit: 'gibibytes' })).toBe('GiB')
    expect(unitOf({ output: 'byte' })).toBe('B')
    expect(unitOf({ output: 'number', unit: 'orders' })).toBe('orders')
    // 0.12 is 12 %.
    expect(unitOf({ output: 'percent' })).toBe('')
    expect(unitOf({ output: 'duration', factor: 0.25 })).toBe('')
  })

  test('escapes a name that a spreadsheet would run as a formula', () => {
    const [header] = csvText(frameLines(frameOf([series('=HYPERLINK(1)', [-3])]))).split('\r\n')
    expect(header).toBe("time,'=HYPERLINK(1)")
  })
})
