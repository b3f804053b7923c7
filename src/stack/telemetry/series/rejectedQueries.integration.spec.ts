/** Chart queries that are refused, with the field that is at fault. */
import { expect, test } from 'vitest'
import { chartQuery } from '#contract/stack/charts.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { seriesScene, type TestSeries } from '../../testing/seriesScene.ts'
import { EngineAborted } from '../engine/engineError.ts'
import { ChartError } from './chartError.ts'
import { querySeries } from './seriesQuery.ts'

const { engine, query, failure, hour, minute } = await seriesScene()

test.each<[TestSeries, string, RegExp]>([
  [{ where: 'service:api' }, 'series.0.where', /"service".*ServiceName/],
  [{ where: 'SeverityNumber:high' }, 'series.0.where', /SeverityNumber takes a number/],
  [{ where: '(a' }, 'series.0.where', /not closed/],
  [{ where: 'ServiceName:' }, 'series.0.where', /has no value/],
  [{ where: 'Servce = 1', whereLanguage: 'sql' }, 'series.0.where', /Servce/],
  [{ where: "'a'", whereLanguage: 'sql' }, 'series.0.where', /true or false/],
  [{ where: 'count() > 1', whereLanguage: 'sql' }, 'series.0.where', /aggregates rows/],
  [{ where: '1; DROP TABLE otel_logs', whereLanguage: 'sql' }, 'series.0.where', /";"/],
  [{ where: 'Body IN (SELECT name FROM system.tables)', whereLanguage: 'sql' }, 'series.0.where', /SELECT/],
  [{ where: "file('/etc/passwd') = ''", whereLanguage: 'sql' }, 'series.0.where', /function file/],
  [{ aggFn: 'avg' }, 'series.0.field', /needs a field/],
  [{ aggFn: 'avg', field: 'Duratoin', sourceId: 'trace' }, 'series.0.field', /Duration/],
  [{ aggFn: 'avg', field: 'LogAttributes' }, 'series.0.field', /name a key/],
  [{ aggFn: 'none', field: 'Body' }, 'series.0', /outside of an aggregate/],
  [{ aggFn: 'none', field: 'sum(count())' }, 'series.0.field', /aggregate/],
  [{ aggFn: 'none', field: 'uniqState(Body)' }, 'series.0.field', /leave out State/],
  [{ aggFn: 'none', field: 'argAndMax(Body, Timestamp)' }, 'series.0.field', /tuple/],
  [{ aggFn: 'sum', field: 'arrayJoin(range(1000000000))' }, 'series.0.field', /several rows of one/],
  [{ aggFn: 'sum', field: 'sum(SeverityNumber)' }, 'series.0.field', /aggregates rows/],
  [{ where: 'arrayJoin([0, 1])', whereLanguage: 'sql' }, 'series.0.where', /several rows of one/],
  [{ groupBy: ['lower(arrayJoin(mapKeys(LogAttributes)))'] }, 'series.0.groupBy.0', /several rows of one/],
  [{ groupBy: ['arrayJoin(mapValues(LogAttributes))'] }, 'series.0.groupBy.0', /several rows of one/],
  [{ groupBy: ["arrayJoin(mapKeys(map('a', 1)))"] }, 'series.0.groupBy.0', /several rows of one/],
  [{ groupBy: ['arrayJoin(mapKeys(LogAttributes))', 'Body'] }, 'series.0.groupBy.0', /several rows of one/],
  [{ aggFn: 'any', field: 'arrayJoin(mapKeys(LogAttributes))' }, 'series.0.field', /several rows of one/],
  [{ aggFn: 'sum', field: 'length(range(400000000))' }, 'series.0.field', /range can have numbers up to 10000/],
  [{ aggFn: 'sum', field: 'length(arrayResize([1], 300000000))' }, 'series.0.field', /arrayResize is not allowed/],
  [{ groupBy: ['count()'] }, 'series.0.groupBy.0', /aggregates rows/],
  [{ groupBy: ['(ServiceName, Body)'] }, 'series.0.groupBy.0', /tuple is not a single value/],
  [{ aggFn: 'avg', field: '(SeverityNumber, 1)' }, 'series.0.field', /tuple is not a single value/],
  [{ aggFn: 'any', field: 'tuple(Body)' }, 'series.0.field', /tuple is not a single value/],
  [{ aggFn: 'avg', field: "toUInt8(Body || 'x')" }, 'series.0', /cannot be converted to/],
  [{ groupBy: ['Servicename'] }, 'series.0.groupBy.0', /ServiceName/],
  [{ sourceId: 'metric', aggFn: 'avg', metricDataType: 'gauge' }, 'series.0.metricName', /name of a metric/],
  [{ sourceId: 'metric', aggFn: 'avg', metricName: 'cpu' }, 'series.0.metricDataType', /"gauge", "sum"/],
])('%j', async (series, path, message) => {
  const error = await failure([series])
  expect(error).toBeInstanceOf(ChartError)
  expect(error).toMatchObject({ status: 400, path })
  expect(String(error)).toMatch(message)
  expect(String(error)).not.toMatch(/DB::|In scope|toStartOfInterval|__\w+|_CAST/)
})

test('except for attribute names as one group', async () => {
  expect(await query([{ groupBy: ['arrayJoin(mapKeys(LogAttributes))'] }], { granularity: '1d' })).toEqual([
    { ts_bucket: expect.any(Number), group: ['http.status_code'], 'series_0.data': '5' },
  ])
})

test('a missing source, with the prescribed message', async () => {
  expect(await failure([{ sourceId: 'nowhere' }])).toMatchObject({
    status: 404,
    message: 'Source not found for series 0',
  })
})

test('more points than the limit', async () => {
  await engine.command(
    `INSERT INTO otel_logs (Timestamp, ServiceName, Body) SELECT fromUnixTimestamp64Milli({at:Int64}), 'many', toString(number) FROM numbers(100001)`,
    { params: { at: hour - 60 * minute } },
  )
  const error = await failure([{ groupBy: ['Body'] }], { startTime: hour - 60 * minute, endTime: hour - 1 })
  expect(error).toMatchObject({ status: 400 })
  expect(String(error)).toMatch(/more than 100000 points/)
})

test('no text of a query reaches the SQL', async () => {
  const hostile = `x' OR 1=1 --\\`
  expect(await query([{ where: `ServiceName:"${hostile.replace('\\', '\\\\')}"` }])).toEqual([])
  expect(await query([{ where: `Body:${hostile.replaceAll(' ', '\\ ')}` }])).toEqual([])
  expect(await query([{ groupBy: [`LogAttributes.${hostile}`] }])).toHaveLength(2)
})

test('cancelled answer', async () => {
  const gone = new AbortController()
  const slow = chartQuery.parse({
    startTime: hour,
    endTime: hour + 60 * minute,
    series: [{ sourceId: 'log', aggFn: 'sum', field: 'length(range(9999))' }],
  })
  const answer = querySeries(engine, slow, readableSources(engine), gone.signal)
  setImmediate(() => gone.abort())
  await expect(answer).rejects.toBeInstanceOf(EngineAborted)
})
