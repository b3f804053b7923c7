import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SqlResult } from '#contract/stack/sql.ts'
import { sqlChart, sqlTotal } from './sqlTile.ts'

const minute = 60_000
const start = Date.UTC(2026, 10, 29, 10)
const at = (minutes: number) => new Date(start + minutes * minute).toISOString()
const grid = { bucketMs: minute, usesInterval: true }

function result(columns: Record<string, string>, rows: SqlResult['rows'], isTruncated = false): SqlResult {
  const named = Object.entries(columns).map(([name, type]) => ({ name, type }))
  return { columns: named, rows, isTruncated, milliseconds: 1 }
}
const counted = { t: 'DateTime', service: 'String', n: 'UInt64' }
const line = { configType: 'sql', displayType: 'line' }

test('a line for each group, with zeros only in the buckets that the page asked for', () => {
  const rows = [
    [at(0), 'cart', '1'],
    [at(10), 'cart', '3'],
  ]
  expect(sqlChart(line, result(counted, rows), grid)).toMatchObject({
    series: [
      {
        label: 'cart',
        points: [
          [start, 1],
          [start + 10 * minute, 3],
        ],
      },
    ],
    bucketMs: minute,
    missing: 'zero',
  })
  const own = { ...grid, usesInterval: false }
  expect(sqlChart(line, result(counted, rows), own)).toMatchObject({ bucketMs: 10 * minute, missing: 'gap' })
  expect(sqlChart({ ...line, fillNulls: false }, result(counted, rows), grid)).toMatchObject({ missing: 'gap' })
  expect(sqlChart(line, result(counted, []), grid)).toMatchObject({ series: [] })
})

test('the largest lines, as many as the tile shows', () => {
  const rows = ['a', 'b', 'c'].map((name, place) => [at(0), name, String([5, 9, 7][place])])
  const chart = sqlChart({ ...line, seriesLimit: 2 }, result(counted, rows), grid)
  expect('series' in chart && chart.series.map(({ label }) => label)).toEqual(['b', 'c'])
})

test.each([
  ['rows that were cut', line, result(counted, [[at(0), 'a', '1']], true), /would lack some/],
  ['no time', line, result({ n: 'UInt8' }, [[1]]), /needs a column with times/],
])('%s are no chart', (_, config, found, reason) => {
  expect(sqlChart(config, found, grid)).toEqual({ refused: expect.stringMatching(reason) })
})

test('a number is the first column with numbers of the first row', () => {
  const found = result({ name: 'String', n: 'Nullable(UInt64)', m: 'UInt8' }, [['a', '12', 3]], true)
  const number = { configType: 'sql', displayType: 'number', numberFormat: { output: 'byte' } }
  expect(sqlTotal(number, found)).toMatchObject({ total: { rows: [{ group: [], values: [12] }] } })
  expect(sqlTotal(number, result({ n: 'UInt8' }, []))).toMatchObject({ total: { rows: [] } })
  expect(sqlTotal(number, result({ name: 'String' }, [['a']]))).toEqual({
    refused: expect.stringContaining('no column'),
  })
})

test('a pie has each group once, or says why there is none', () => {
  const groups = fc.uniqueArray(fc.string(), { minLength: 1 })
  const pie = { configType: 'sql', displayType: 'pie' }
  fc.assert(
    fc.property(groups, (names) => {
      const rows = names.map((name, place) => [name, place])
      const shown = sqlTotal(pie, result({ name: 'String', n: 'UInt32' }, rows))
      expect('total' in shown && shown.total.rows.map(({ group, values }) => [...group, ...values])).toEqual(rows)
      const twice = sqlTotal(pie, result({ name: 'String', n: 'UInt32' }, [...rows, ...rows]))
      expect(twice).toEqual({ refused: expect.stringContaining('same group') })
    }),
  )
})
