import { expect, test } from 'vitest'
import type { ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { columnsOf } from '../rows/columns.ts'
import { chartDrafts } from './chartDraft.ts'
import { draftMark } from './draftSource.ts'
import { searchDraft } from './searchDraft.ts'

const logs: Source = {
  id: 'logs',
  name: 'Logs',
  kind: 'log',
  from: { databaseName: 'default', tableName: 'otel_logs' },
  timestampValueExpression: 'TimestampTime',
  displayedTimestampValueExpression: 'Timestamp',
  bodyExpression: 'Body',
  tableFilterExpression: "ServiceName != 'probe' OR SeverityNumber > 8",
}
const metrics: Source = {
  id: 'metrics',
  name: 'Metrics',
  kind: 'metric',
  metricTables: { gauge: 'otel_metrics_gauge' },
}
const sources = [logs, metrics]

type Series = Partial<ChartQuery['series'][number]>

const drafts = (...series: Series[]) =>
  chartDrafts(
    {
      startTime: Date.UTC(2026, 0, 2, 3),
      endTime: Date.UTC(2026, 0, 2, 4),
      granularity: '5m',
      series: series.map((one) => ({ sourceId: 'logs', aggFn: 'count', ...one })),
    },
    sources,
  ).map(({ series: places, statement }) => [places, typeof statement === 'string' ? statement : statement.problem])

test('the draft of a chart is marked, and has the range, the condition of the source, and its own', () => {
  expect(
    drafts({ where: 'order -SeverityText:"info"', groupBy: ["LogAttributes['http.method']", 'ServiceName'] }),
  ).toEqual([
    [
      [0],
      `${draftMark}
SELECT
  toStartOfInterval(toDateTime(TimestampTime, 'UTC'), INTERVAL 300 SECOND) AS time,
  LogAttributes['http.method'] AS \`LogAttributes['http.method']\`,
  ServiceName,
  count() AS A
FROM default.otel_logs
WHERE TimestampTime >= toDateTime64('2026-01-02 03:00:00.000', 3, 'UTC')
  AND TimestampTime <= toDateTime64('2026-01-02 04:00:00.000', 3, 'UTC')
  AND (ServiceName != 'probe' OR SeverityNumber > 8)
  AND (ifNull(Body ILIKE '%order%', 0) AND NOT (ifNull(SeverityText = 'info', 0)))
GROUP BY time, LogAttributes['http.method'], ServiceName
ORDER BY time`,
    ],
  ])
})

test('series over the same rows are one statement, others have their own', () => {
  const all = drafts({}, { where: 'order' }, { aggFn: 'avg', field: 'SeverityNumber' }, { sourceId: 'metrics' })
  expect(all.map(([series]) => series)).toEqual([[0, 2], [1], [3]])
  expect(all[0]?.[1]).toContain('count() AS A,\n  avg(toFloat64(SeverityNumber)) AS C')
  expect(all[2]?.[1]).toContain('Metrics are combined by time series')
  // A series that cannot be written takes no statement from the others.
  const [first, second] = drafts({}, { aggFn: 'sum', field: 'LogAttributes.size' })
  expect(first?.[1]).toContain('count() AS A')
  expect(second).toEqual([[1], expect.stringContaining('sum(LogAttributes.size): the console does not know')])
})

test('no name of the statement stands for a column', () => {
  const [draft] = drafts({ where: 'time > 5 AND A = 1', whereLanguage: 'sql', groupBy: ['time_'] })
  expect(draft?.[1]).toContain('SECOND) AS time__,\n  time_,\n  count() AS A_\n')
  expect(draft?.[1]).toContain('GROUP BY time__, time_\nORDER BY time__')
})

test.each<[string, Series, RegExp]>([
  ['a number in text', { where: 'LogAttributes.status:>=300' }, /texts that are numbers as numbers: LogAttributes/],
  ['a column of an unknown type', { where: 'mine:5 order' }, /type of a column.*mine:5$/],
  ['what cannot be read', { where: '(' }, /cannot be read/],
  ['two conditions in place of one', { where: '1) OR (1', whereLanguage: 'sql' }, /more than one expression/],
  ['a comment', { where: '1 -- all', whereLanguage: 'sql' }, /more than one expression/],
  ['a whole map', { groupBy: ['LogAttributes'] }, /is a map/],
  ['a path in an unknown column', { groupBy: ['Extra.key'] }, /does not know the column of Extra\.key/],
  ['two groups in one', { groupBy: ['a), (b'] }, /more than one expression/],
  ['the growth of what is no counter', { aggFn: 'increase', field: 'SeverityNumber' }, /only counters grow/],
  ['a series without a field', { aggFn: 'sum' }, /has no field/],
  ['a source that is gone', { sourceId: 'gone' }, /was not found/],
])('%s is refused', (_, series, problem) => {
  expect(drafts(series)).toEqual([[[0], expect.stringMatching(problem)]])
})

test('a search is refused for text whose rows differ, and ordered as its deployment orders', () => {
  const query = {
    span: { from: Date.UTC(2026, 0, 2, 3), to: Date.UTC(2026, 0, 2, 4) },
    where: 'Body:order',
    whereLanguage: 'lucene' as const,
    columns: columnsOf('SeverityText,LogAttributes.user', logs),
    maxResults: 200,
  }
  expect(searchDraft(logs, query)).toBe(`${draftMark}
SELECT
  Timestamp,
  SeverityText,
  LogAttributes['user']
FROM default.otel_logs
WHERE TimestampTime >= toDateTime64('2026-01-02 03:00:00.000', 3, 'UTC')
  AND TimestampTime <= toDateTime64('2026-01-02 04:00:00.000', 3, 'UTC')
  AND (ServiceName != 'probe' OR SeverityNumber > 8)
  AND (ifNull(Body ILIKE '%order%', 0))
ORDER BY TimestampTime DESC, Timestamp DESC
LIMIT 200`)
  expect(searchDraft(logs, { ...query, where: 'order' })).toEqual({ problem: expect.stringContaining('Body:order') })
  expect(searchDraft(logs, { ...query, orderBy: 'LogAttributes.user desc, Body' })).toContain(
    "ORDER BY LogAttributes['user'] desc, Body\n",
  )
  const times = { ...logs, timestampValueExpression: 'EventDate, EventTime' }
  expect(searchDraft(times, query)).toEqual({ problem: expect.stringContaining('several times') })
})
