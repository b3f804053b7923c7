import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatShort, formatValue } from '#domain/charts/units.ts'
import { bandsOf, extentOf, stackBands } from '../series/bands.ts'
import { allVisible, isolate, toggle, withinLimit } from '#console/ui/series/useLegend.ts'
import { pointsPerColumn, reduceToPixels, tallestPerColumn } from '../series/reduce.ts'
import { bucketIndex, frameOf, nearestIndex, type Series } from '../series/series.ts'
import { statsOf, formatTrend } from '../series/stats.ts'
import { formatDuration } from '../time/formatLength.ts'
import { formatTimeTick } from '../time/formatRangeTime.ts'
import { clockTicks, valueTicks } from './ticks.ts'

const value = fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { nil: null, freq: 5 })
const line = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 500 }), value), { minLength: 1, maxLength: 2000 })
  .map((steps) => {
    let time = 1.7e12
    return { times: steps.map(([step]) => (time += step)), values: steps.map(([, value]) => value) }
  })

describe('reduceToPixels', () => {
  test('keeps order, the limit, and the extremes of every pixel column', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 300 }), ({ times, values }, columns) => {
        const kept = reduceToPixels(times, values, columns)
        expect(kept).toEqual([...new Set(kept)].toSorted((a, b) => a - b))
        if (times.length <= columns * 2) expect(kept.length).toBe(times.length)
        else expect(kept.length).toBeLessThanOrEqual(columns * pointsPerColumn)
        const perColumn = (times.at(-1)! - times[0]!) / columns || 1
        const columnOf = (index: number) => Math.min(columns - 1, Math.floor((times[index]! - times[0]!) / perColumn))
        const extremes = (indexes: readonly number[]) => {
          const found = new Map<number, [number, number]>()
          for (const index of indexes) {
            const value = values[index]
            if (value == null) continue
            const [low, high] = found.get(columnOf(index)) ?? [value, value]
            found.set(columnOf(index), [Math.min(low, value), Math.max(high, value)])
          }
          return [...found]
        }
        expect(extremes(kept)).toEqual(extremes(values.map((_, index) => index)))
      }),
    )
  })

  test('keeps the tallest bar of each column', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 300 }), ({ times, values }, columns) => {
        const kept = tallestPerColumn(times, values, columns)
        expect(kept).toEqual([...new Set(kept)].toSorted((a, b) => a - b))
        expect(kept.length).toBeLessThanOrEqual(Math.max(columns, times.length <= columns ? times.length : 0))
        const highest = Math.max(0, ...values.map((value) => value ?? 0))
        expect(Math.max(0, ...kept.map((index) => values[index] ?? 0))).toBe(highest)
      }),
    )
  })

  test('keeps a gap of a whole column', () => {
    const times = Array.from({ length: 1000 }, (_, index) => index)
    const values = times.map((time) => (time >= 400 && time < 600 ? null : 1))
    expect(reduceToPixels(times, values, 10).some((index) => values[index] === null)).toBe(true)
  })
})

describe('frameOf', () => {
  const series = (id: string, points: [number, number | null][]): Series => ({ id, label: id, points })

  test('aligns series to one list of times, and keeps missing values missing', () => {
    const frame = frameOf([
      series('a', [
        [2, 5],
        [1, 4],
      ]),
      series('b', [[3, 6]]),
    ])
    expect(frame.times).toEqual([1, 2, 3])
    expect(frame.rows.map(({ values }) => values)).toEqual([
      [4, 5, null],
      [null, null, 6],
    ])
  })

  test('adds empty buckets to a grid, aligned with the others', () => {
    const frame = frameOf([series('a', [[105, 1]])], 'gap', { from: 97, to: 127, bucketMs: 10, zone: 'utc' })
    expect(frame.times).toEqual([95, 105, 115, 125])
    expect(frame.rows[0]?.values).toEqual([null, 1, null, null])
  })

  test('adds empty days at local midnights, or where a deployment without time zones lets days start', () => {
    const before = process.env.TZ
    process.env.TZ = 'Europe/Berlin'
    const at = (text: string) => Date.parse(`${text}Z`)
    const grid = {
      from: at('2026-10-23T22:00'),
      to: at('2026-10-27T00:00'),
      bucketMs: 86_400_000,
      zone: 'local',
    } as const
    const timesWith = (time: string) =>
      frameOf([series('a', [[at(time), 1]])], 'gap', grid).times.map((instant) =>
        new Date(instant).toISOString().slice(5, 16),
      )
    expect(timesWith('2026-10-25T23:00')).toEqual(['10-23T22:00', '10-24T22:00', '10-25T23:00', '10-26T23:00'])
    expect(timesWith('2026-10-25T00:00')).toEqual(['10-23T00:00', '10-24T00:00', '10-25T00:00', '10-26T00:00'])
    process.env.TZ = before ?? ''
    if (before === undefined) delete process.env.TZ
  })

  test('replaces a missing value by zero only if configured', () => {
    const frame = frameOf(
      [
        series('a', [
          [1, null],
          [2, 1],
        ]),
      ],
      'zero',
    )
    expect(frame.rows[0]?.values).toEqual([0, 1])
  })

  test('finds the nearest bucket and the one that contains a time', () => {
    const times = [0, 10, 20]
    expect([-5, 4, 6, 99].map((time) => nearestIndex(times, time))).toEqual([0, 0, 1, 2])
    expect([-5, 9, 10, 99].map((time) => bucketIndex(times, time))).toEqual([0, 0, 1, 2])
    expect(nearestIndex([], 1)).toBe(-1)
  })
})

test('stacked bands touch, and the top is their sum', () => {
  const rows = fc.array(fc.array(fc.option(fc.integer({ min: 0, max: 1000 })), { minLength: 5, maxLength: 5 }), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(rows, (rows) => {
      const bands = stackBands(rows)
      for (let index = 0; index < 5; index++) {
        const present = rows.flatMap((row) => row[index] ?? [])
        const top = bands.at(-1)!.high[index]
        expect(top).toBe(present.length ? present.reduce((sum, value) => sum + value, 0) : null)
        bands.forEach((band, row) =>
          expect(band.low[index]).toBe(row ? bands[row - 1]!.high[index] : present.length ? 0 : null),
        )
      }
    }),
  )
})

test('a comparison series is not stacked, and the extent contains zero and every value', () => {
  const frame = frameOf([
    { id: 'a', label: 'a', points: [[1, 3]] },
    { id: 'b', label: 'b', points: [[1, 4]] },
    { id: 'c', label: 'c', points: [[1, -2]], ghost: true },
  ])
  expect(extentOf(bandsOf(frame, true))).toEqual([-2, 7])
  expect(extentOf(bandsOf(frame, false))).toEqual([-2, 4])
})

describe('stats', () => {
  test('has minimum, maximum, mean, last and their times', () => {
    expect(statsOf([1, 2, 3, 4], [5, null, 1, 3])).toMatchObject({
      min: 1,
      minAt: 3,
      max: 5,
      maxAt: 1,
      mean: 3,
      last: 3,
      total: 9,
    })
    expect(statsOf([1], [null])).toBeNull()
  })

  test.each([
    [[1, 1, 1, 1, 2, 2, 2, 2], 'rising by 100 %'],
    [[4, 4, 4, 4, 3, 3, 3, 3], 'falling by 25 %'],
    // Chance.
    [[1, 1, 5, 2, 4, 4], ''],
    [[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5], ''],
    [[10, 10, 10, 10, 10, 10], 'steady'],
    [[1, 2], ''],
  ])('%j is %j', (values, text) => {
    expect(formatTrend(statsOf(values, values)?.change ?? null)).toBe(text)
  })

  test('a slow rise in noisy values is a trend, and the noise alone is none', () => {
    const trendOf = (slope: number) => {
      const values = Array.from({ length: 130 }, (_, at) => ((at * 7) % 10) + at * slope)
      return formatTrend(statsOf(values, values)?.change ?? null)
    }
    expect(trendOf(0.1)).toMatch(/^rising by/)
    expect(trendOf(0)).not.toMatch(/rising|falling/)
  })
})

describe('selection', () => {
  const ids = ['a', 'b', 'c']
  const shown = (selection: { hidden: ReadonlySet<string> }) => ids.filter((id) => !selection.hidden.has(id))

  test('a click isolates a series, a second shows all', () => {
    const one = isolate(allVisible, 'b', ids)
    expect(shown(one)).toEqual(['b'])
    expect(shown(isolate(one, 'b', ids))).toEqual(ids)
    expect(shown(isolate(one, 'c', ids))).toEqual(['c'])
  })

  test('a click with a modifier toggles one', () => {
    const without = toggle(allVisible, 'b')
    expect(shown(without)).toEqual(['a', 'c'])
    expect(shown(toggle(without, 'b'))).toEqual(ids)
  })

  test('draws the largest series and those selected by hand', () => {
    const stats = new Map(ids.map((id, index) => [id, { ...statsOf([1], [index])! }]))
    expect(withinLimit(ids, stats, new Set(), 2)).toEqual(new Set(['c', 'b']))
    expect(withinLimit(ids, stats, new Set(['a']), 2)).toEqual(new Set(['a', 'c']))
  })
})

describe('axes', () => {
  test('value ticks cover the extent in equal steps', () => {
    const unit = fc.constantFrom('number', 'bytes', 'ns', 's', 'percent')
    const number = fc
      .double({ min: -1e12, max: 1e12, noNaN: true })
      .filter((value) => Math.abs(value) > 1e-6 || value === 0)
    fc.assert(
      fc.property(number, number, fc.integer({ min: 2, max: 10 }), unit, (a, b, count, unit) => {
        const [low, high] = [Math.min(a, b, 0), Math.max(a, b, 0)]
        const ticks = valueTicks([low, high], count, unit)
        const slack = (high - low) * 1e-9
        expect(ticks.length).toBeGreaterThanOrEqual(2)
        expect(ticks.length).toBeLessThanOrEqual(count * 3)
        expect(ticks[0]!).toBeLessThanOrEqual(low + slack)
        expect(ticks.at(-1)!).toBeGreaterThanOrEqual(high - slack)
        expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
      }),
    )
  })

  test('counts have whole steps', () => {
    expect(valueTicks([0, 2], 5, 'number', true)).toEqual([0, 1, 2])
    expect(valueTicks([0, 2], 5, 'number')).toContain(0.5)
  })

  test('bytes have steps in powers of two', () => {
    expect(valueTicks([0, 4 * 2 ** 20], 4, 'bytes')).toEqual([0, 1, 2, 3, 4].map((mib) => mib * 2 ** 20))
  })

  test('time ticks are round times of the time zone', () => {
    const from = Date.parse('2026-11-20T21:47:13Z')
    const ticks = clockTicks(from, from + 3_600_000, 6, 'utc')
    expect(ticks.map((time) => formatTimeTick(time, 'utc'))).toEqual(['22:00', '22:15', '22:30', '22:45'])
    expect(formatTimeTick(Date.parse('2026-11-20T00:00:00Z'), 'utc')).toBe('20 Nov')
    expect(formatTimeTick(Date.parse('2026-11-01T00:00:00Z'), 'utc')).toBe('Nov')
    expect(formatTimeTick(Date.parse('2026-01-01T00:00:00Z'), 'utc')).toBe('2026')
  })

  test.each([
    [30_000, '30 seconds'],
    [60_000, '1 minute'],
    [604_800_000, '7 days'],
  ])('%d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
})

describe('units', () => {
  test.each([
    [1234, 'number', '1,234', '1.23k'],
    [1_234_567, 'number', '1,234,567', '1.23M'],
    [0.125, 'number', '0.125', '0.125'],
    [999_960, 'number', '999,960', '1M'],
    [1536, 'bytes', '1.5 KiB', '1.5 KiB'],
    [2_500_000, 'ns', '2.5 ms', '2.5 ms'],
    [90, 's', '1.5 min', '1.5 min'],
    [1500, 'bits', '1.5 kbit', '1.5 kbit'],
    [42.5, 'percent', '42.5 %', '42.5 %'],
    [3, 'requests', '3 requests', '3 requests'],
    [0, 'bytes', '0 B', '0 B'],
    [0, 'ms', '0 ms', '0 ms'],
    [0, 'us', '0 µs', '0 µs'],
    [0, 'number', '0', '0'],
  ])('%d %s is %s', (value, unit, full, short) => {
    expect(formatValue(value, unit)).toBe(full)
    expect(formatShort(value, unit)).toBe(short)
  })

  test('a missing value is a dash, and every number has a short text', () => {
    expect(formatValue(null)).toBe('–')
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.constantFrom('number', 'bytes', 'ns', 's'), (value, unit) => {
        expect(formatShort(value, unit).length).toBeLessThan(24)
      }),
    )
  })
})
