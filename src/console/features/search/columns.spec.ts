import { expect, test } from 'vitest'
import type { Source } from '#contract/stack/sources.ts'
import { columnsOf, readRow, selectOf } from '#console/charting/rows/columns.ts'
import { rowLines, rowsJsonLines } from './exportRows.ts'
import { formatNanoseconds } from '#domain/charts/units.ts'
import { withUniqueKeys } from '#console/charting/rows/readRows.ts'
import { csvText } from '#console/ui/series/csv.ts'

const logs: Source = {
  id: 'l',
  name: 'Logs',
  kind: 'log',
  timestampValueExpression: 'Timestamp',
  serviceNameExpression: 'ServiceName',
  severityTextExpression: 'SeverityText',
  bodyExpression: 'Body',
  traceIdExpression: 'TraceId',
  spanIdExpression: 'SpanId',
}

test('the columns are those of the source unless others are chosen, without the time', () => {
  expect(columnsOf('', logs).map(({ expression }) => expression)).toEqual(['ServiceName', 'SeverityText', 'Body'])
  expect(columnsOf("Timestamp,Body, LogAttributes['a,b'],Body", logs)).toEqual([
    { expression: 'Body', wide: true },
    { expression: "LogAttributes['a,b']", wide: false },
  ])
  expect(columnsOf('SeverityText', logs)).toEqual([{ expression: 'SeverityText', wide: true, role: 'severity' }])
})

test('a source lists its columns: without the time, and durations with their unit', () => {
  const of = (defaultTableSelectExpression: string) =>
    columnsOf('', { ...logs, durationExpression: 'Duration', defaultTableSelectExpression })
      .map(({ expression }) => expression)
      .join(' | ')
  expect(of("Timestamp AS at, Body, round(Duration/1e6) AS ms, LogAttributes['a,b'], *")).toBe(
    "Body | Duration | LogAttributes['a,b']",
  )
  expect(of('Timestamp, max2(Duration, 5)')).toBe('max2(Duration, 5)')
  expect(of('*')).toBe('ServiceName | SeverityText | Body')
})

test('of several times the most exact one is shown, and several texts are columns of their own', () => {
  const two = { ...logs, timestampValueExpression: 'EventDate, EventTime', bodyExpression: 'Title, Body' }
  expect(selectOf(columnsOf('EventDate,Title', two), two)).toBe(
    'greatest(toDateTime64(EventDate, 9), toDateTime64(EventTime, 9)) AS __t, TraceId AS __trace, SpanId AS __span, Title AS __c0',
  )
  expect(columnsOf('', two).map(({ expression }) => expression)).toEqual([
    'ServiceName',
    'SeverityText',
    'Title',
    'Body',
  ])
})

test('a request names every column, and leaves out aliases of a saved search', () => {
  expect(selectOf(columnsOf('upper(Body) AS text', logs), logs)).toBe(
    'Timestamp AS __t, TraceId AS __trace, SpanId AS __span, upper(Body) AS __c0',
  )
  const { traceIdExpression: _, spanIdExpression: __, ...without } = logs
  expect(selectOf(columnsOf('Body', without), without)).toBe(
    "Timestamp AS __t, '' AS __trace, '' AS __span, Body AS __c0",
  )
})

test('a row keeps its key, whatever columns are shown', () => {
  const answer = { __t: '2026-11-20T19:23:48.206000001Z', __trace: 't', __span: 's', __c0: ['a'], __c1: null }
  const row = readRow(answer, columnsOf('a,b', logs))
  expect(row).toMatchObject({ at: Date.UTC(2026, 10, 20, 19, 23, 48, 206), traceId: 't', values: ['["a"]', ''] })
  expect(readRow(answer, columnsOf('a', logs)).key).toBe(row.key)
  const olderForm = { ...answer, __t: '2026-11-20 19:23:48.206000001' }
  expect(readRow(olderForm, columnsOf('a,b', logs))).toMatchObject({ key: row.key, at: row.at })
})

test('rows of the same time have keys of their own', () => {
  const row = readRow({ __t: '2026-11-20 19:23:48', __trace: '', __span: '', __c0: 'a' }, columnsOf('Body', logs))
  const keys = withUniqueKeys([row, { ...row, values: ['b'] }, row]).map(({ key }) => key)
  expect(keys).toEqual([row.key, `${row.key}-2`, `${row.key}-3`])
})

test('exports rows as CSV and as JSON lines', () => {
  const columns = columnsOf('Body', logs)
  const rows = [readRow({ __t: '2026-11-20 19:23:48.2', __trace: '', __span: '', __c0: '=1+"x"' }, columns)]
  expect(csvText(rowLines(rows, columns))).toBe('Time,Body\r\n2026-11-20 19:23:48.2,"\'=1+""x"""\r\n')
  expect(rowsJsonLines(rows, columns)).toBe('{"Time":"2026-11-20 19:23:48.2","Body":"=1+\\"x\\""}\n')
})

test.each([
  ['', ''],
  ['0', '0 ns'],
  ['999', '999 ns'],
  ['1500000', '1.5 ms'],
  ['61000000000', '61 s'],
  ['n/a', 'n/a'],
])('%s nanoseconds are %s', (value, text) => {
  expect(formatNanoseconds(value)).toBe(text)
})
