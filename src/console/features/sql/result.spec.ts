import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineOf, problemOf } from './problem.ts'
import { csvLines, jsonLines, tabbedText } from '#console/charting/sqlResult/resultFiles.ts'
import { chartOf, kindOf } from '#console/charting/sqlResult/resultSeries.ts'

const column = (name: string, type: string) => ({ name, type })

test.each([
  ['DateTime64(9)', 'time'],
  ["Nullable(DateTime('Europe/Berlin'))", 'time'],
  ['LowCardinality(Nullable(String))', 'text'],
  ['UInt64', 'number'],
  ['Decimal(38, 2)', 'number'],
  ['Map(String, UInt8)', 'other'],
  ['Array(DateTime)', 'other'],
])('%s is a column of kind %s', (type, kind) => {
  expect(kindOf(type)).toBe(kind)
})

test('a result with times is a chart: a series for each group and number', () => {
  const columns = [column('t', 'DateTime'), column('service', 'String'), column('n', 'UInt64'), column('p', 'Float64')]
  const rows = [
    ['2026-11-29T10:01:00Z', 'cart', '2', null],
    ['2026-11-29T10:00:00Z', 'cart', '1', 0.5],
    ['2026-11-29T10:03:00Z', null, '9007199254740993', 'nan'],
  ]
  const chart = chartOf({ columns, rows })
  const at = (minute: number) => Date.UTC(2026, 10, 29, 10, minute)
  expect(chart).toMatchObject({ bucketMs: 60_000, span: { from: at(0), to: at(4) } })
  expect('series' in chart && chart.series.map(({ label, points }) => [label, points])).toEqual([
    [
      'cart: n',
      [
        [at(0), 1],
        [at(1), 2],
      ],
    ],
    [
      'cart: p',
      [
        [at(0), 0.5],
        [at(1), null],
      ],
    ],
    ['NULL: n', [[at(3), 9_007_199_254_740_992]]],
    ['NULL: p', [[at(3), null]]],
  ])
})

test('series are in the order of their groups, in whatever order the rows are', () => {
  const columns = [column('t', 'DateTime'), column('host', 'String'), column('n', 'UInt64')]
  const rows = ['web-10', 'web-9', 'api'].map((host) => ['2026-11-29T10:00:00Z', host, '1'])
  for (const some of [rows, rows.toReversed()]) {
    const chart = chartOf({ columns, rows: some })
    expect('series' in chart && chart.series.map(({ label }) => label)).toEqual(['api', 'web-9', 'web-10'])
  }
})

test.each([
  [[column('n', 'UInt64')], [['1']], /needs a column with times/],
  [[column('t', 'Date')], [['2026-11-29']], /and one with numbers/],
  [[column('t', 'Nullable(Date)'), column('n', 'UInt8')], [[null, 1]], /has no times/],
])('%j is no chart', (columns, rows, reason) => {
  expect(chartOf({ columns, rows })).toEqual({ refused: expect.stringMatching(reason) })
})

test('every file has each row and column, also of columns with one name', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.dictionary(fc.string(), fc.integer()))
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value)), (rows) => {
      const result = { columns: [column('a', 'String'), column('a', 'String')], rows }
      expect(csvLines(result)).toHaveLength(rows.length + 1)
      const objects = jsonLines(result).split('\n').slice(0, -1)
      expect(objects.map((line) => Object.values(Object(JSON.parse(line))))).toEqual(JSON.parse(JSON.stringify(rows)))
      for (const line of tabbedText(result).split('\n')) expect(line.split('\t')).toHaveLength(2)
    }),
  )
})

test('an error is underlined at its place', () => {
  const statement = 'SELECT Bdy\nFROM otel_logs'
  const [problem] = problemOf(new Error('"Bdy": the column does not exist (at 8)'), statement)
  expect(problem).toEqual({ from: 7, to: 10, message: '"Bdy": the column does not exist', severity: 'error' })
  expect(lineOf(statement, 11)).toEqual({ line: 2, column: 1 })
  expect(problemOf(new Error('The deployment failed (503).'), statement)).toEqual([])
  expect(problemOf(new Error('it ends too early at 17 (at 17)'), 'SELECT Body FROM')).toMatchObject([
    { from: 15, to: 16 },
  ])
})

test('cells that are copied into a spreadsheet are no formulas', () => {
  const columns = [column('=1+1', 'String'), column('n', 'Int8')]
  const rows = [
    ['=HYPERLINK("http://127.0.0.1/")', -1],
    ['\n@SUM(A1)', 2],
  ]
  expect(tabbedText({ columns, rows })).toBe(`'=1+1\tn\n'=HYPERLINK("http://127.0.0.1/")\t-1\n' @SUM(A1)\t2`)
})
