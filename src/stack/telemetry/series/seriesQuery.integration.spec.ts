import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartQuery, type ChartQuery } from '#contract/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineAborted } from '../engine/engineError.ts'
import type { LogRow, SpanRow } from '../tableRows.ts'
import { matchingRows } from './matchingRows.ts'
import { querySeries } from './seriesQuery.ts'
import { ChartError } from './chartError.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { tables } from '../tables.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'

/** Ten o'clock yesterday, so that no day ends within the queried hours. */
const hour = (Math.floor(currentTime() / 86_400_000) - 1) * 86_400_000 + 10 * 3_600_000
const minute = 60_000
const never = new AbortController().signal

let engine: Engine

beforeAll(async () => {
  engine = await temporaryEngine()
  await engine.insert(tables.logs, logs)
  await engine.insert(tables.traces, spans)
})
afterAll(() => engine.close())

const time = (offsetMs: number) => `${((hour + offsetMs) / 1000).toFixed(3)}000000`

const log = (at: number, ServiceName: string, SeverityText: string, Body: string, status = ''): LogRow => ({
  Timestamp: time(at),
  ServiceName,
  SeverityText,
  Body,
  LogAttributes: status ? { 'http.status_code': status } : {},
})

const logs = [
  log(0, 'api', 'info', 'started', '200'),
  log(1000, 'api', 'error', 'connection refused by upstream', '502'),
  log(2 * minute, 'api', 'info', 'ok', '200'),
  log(61 * minute, 'web', 'error', 'connection reset', '99'),
  log(62 * minute, 'web', 'info', 'GET http://localhost:8080/cart', '404'),
]

const span = (at: number, ServiceName: string, SpanName: string, Duration: number, latency = ''): SpanRow => ({
  Timestamp: time(at),
  ServiceName,
  SpanName,
  Duration,
  TraceId: `trace-${at % 3}`,
  StatusCode: Duration > 250 ? 'Error' : 'Ok',
  SpanAttributes: latency ? { 'http.method': 'GET', 'app.latency': latency } : { 'http.method': 'POST' },
})

const spans = [
  span(0, 'api', 'GET /', 100, '1.5'),
  span(1, 'api', 'GET /', 200, 'unknown'),
  span(2, 'api', 'GET /cart', 300, '2.5'),
  span(3, 'web', 'render', 400),
]

const groupOf = (point: object): unknown =>
  'group' in point && Array.isArray(point.group) ? point.group[0] : undefined

type Series = Partial<ChartQuery['series'][number]>

const query = (series: Series[], rest: Partial<ChartQuery> = {}) =>
  querySeries(
    engine,
    chartQuery.parse({
      startTime: hour,
      endTime: hour + 120 * minute,
      granularity: '1h',
      series: series.map((one) => ({ sourceId: 'log', aggFn: 'count', where: '', ...one })),
      ...rest,
    }),
    readableSources(engine),
    never,
  )

const failure = (series: Series[], rest: Partial<ChartQuery> = {}) =>
  query(series, rest).then(
    () => expect.unreachable('should have been refused'),
    (error: unknown) => error,
  )

describe('answer', () => {
  test('has one point for each bucket with rows, by time, with counts as text', async () => {
    expect(await query([{}])).toEqual([
      { ts_bucket: hour, group: [], 'series_0.data': '3' },
      { ts_bucket: hour + 60 * minute, group: [], 'series_0.data': '2' },
    ])
  })

  test('has a series only where it has rows', async () => {
    expect(await query([{}, { where: 'ServiceName:web' }], { granularity: '30m' })).toEqual([
      { ts_bucket: hour, group: [], 'series_0.data': '3' },
      { ts_bucket: hour + 60 * minute, group: [], 'series_0.data': '2', 'series_1.data': '2' },
    ])
  })

  test('is about the rows that the table filter of a source of logs leaves', async () => {
    const { sources, databases } = readableSources(engine)
    const filtered = (tableFilterExpression: string) => {
      const body = chartQuery.parse({
        startTime: hour,
        endTime: hour + 120 * minute,
        granularity: '1d',
        series: [{ sourceId: 'log', aggFn: 'count', where: 'NOT reset', groupBy: [] }],
      })
      const withFilter = sources.map((source) => ({ ...source, tableFilterExpression }))
      return querySeries(engine, body, { sources: withFilter, databases }, never)
    }
    expect(await filtered("ServiceName = 'web' OR Body = 'ok'")).toMatchObject([{ 'series_0.data': '2' }])
    await expect(filtered('Body')).rejects.toMatchObject({ path: 'series.0.sourceId' })
  })

  test('has no point if no series has rows, also if all are filtered out', async () => {
    expect(await query([{ where: 'ServiceName:"web"' }, { where: 'ServiceName:"nobody"' }])).toEqual([
      { ts_bucket: hour + 60 * minute, group: [], 'series_0.data': '2' },
    ])
  })

  test('is grouped by columns and map keys, values in the requested order', async () => {
    for (const key of ['LogAttributes.http.status_code', "LogAttributes['http.status_code']"]) {
      const points = await query([{ groupBy: [key, 'ServiceName'] }], { granularity: '1d' })
      expect(points.map((point) => [point['group'], point['series_0.data']]).toSorted()).toEqual([
        [['200', 'api'], '2'],
        [['404', 'web'], '1'],
        [['502', 'api'], '1'],
        [['99', 'web'], '1'],
      ])
    }
  })

  test('has the digits of decimals, as text', async () => {
    const field = "toDecimal128('12345678901234567890.123456789', 9)"
    for (const aggFn of ['max', 'last_value', 'any'] as const) {
      expect(await query([{ aggFn, field }], { granularity: '1d' })).toMatchObject([
        { 'series_0.data': '12345678901234567890.123456789' },
      ])
    }
    const points = await query([{ aggFn: 'sum', field, groupBy: ["toDecimal64('0.10', 2)"] }], { granularity: '1d' })
    expect(points).toMatchObject([{ group: ['0.1'], 'series_0.data': '61728394506172839450.617283945' }])
    expect(await query([{ aggFn: 'avg', field: "toDecimal64('0.10', 2)" }], { granularity: '1d' })).toMatchObject([
      { 'series_0.data': 0.1 },
    ])
  })

  test('has a quantile between two decimals', async () => {
    const field = "toDecimal64(if(ServiceName = 'web', '0.2', '0.1'), 1)"
    expect(await query([{ aggFn: 'quantile', level: 0.625, field }], { granularity: '1d' })).toMatchObject([
      { 'series_0.data': expect.closeTo(0.15, 12) as number },
    ])
  })

  test('has a sum and an average of integers beyond 64 bits', async () => {
    for (const [field, one] of [
      ['toInt64(-9000000000000000000)', -9e18],
      ['toUInt64(18446744073709551615)', 2 ** 64],
      ["toInt128('-170141183460469231731687303715884105728')", -(2 ** 127)],
    ] as const) {
      const points = await query(
        [
          { aggFn: 'sum', field },
          { aggFn: 'avg', field },
        ],
        { granularity: '1d' },
      )
      expect(points).toMatchObject([{ 'series_0.data': 5 * one, 'series_1.data': one }])
    }
    // No digit of a small number is lost between large ones.
    const large = "['9000000000000000000', '1', '-9000000000000000000', '-9000000000000000000']"
    const field = `toInt64(transform(LogAttributes['http.status_code'], ['200', '502', '99', '404'], ${large}, ''))`
    expect(await query([{ aggFn: 'sum', field }], { granularity: '1d' })).toMatchObject([{ 'series_0.data': 1 }])
  })

  test('is grouped by NULL, no text and texts like NULL, each for itself', async () => {
    const values = "[NULL, '', 'NULL'][1 + toMinute(Timestamp)]"
    const points = await query([{ groupBy: [values] }], { granularity: '1d' })
    expect(new Map(points.map((point) => [groupOf(point), point['series_0.data']]))).toEqual(
      new Map([
        [null, '2'],
        ['', '1'],
        ['NULL', '2'],
      ]),
    )
    // Minute 0 is infinite.
    const floats = await query([{ groupBy: ['1 / toMinute(Timestamp)'] }], { granularity: '1d' })
    expect(floats.find((point) => groupOf(point) === null)).toMatchObject({ 'series_0.data': '2' })
  })

  test('is counted by the rows of a group', async () => {
    const expression = "[NULL, '', 'NULL'][1 + toMinute(Timestamp)]"
    const { sources, databases } = readableSources(engine)
    const shown = sources.map((source) => ({ ...source, defaultTableSelectExpression: 'Body' }))
    const rowsOf = (value: string | null) =>
      matchingRows(
        engine,
        {
          sourceId: 'log',
          conditions: [],
          group: { [expression]: value },
          start: hour,
          end: hour + 120 * minute,
          limit: 9,
        },
        { sources: shown, databases },
        never,
      )
    expect(await rowsOf(null)).toEqual([['connection refused by upstream'], ['started']])
    expect(await rowsOf('')).toEqual([['connection reset']])
    expect(await rowsOf('NULL')).toHaveLength(2)
  })

  test('is grouped by an expression', async () => {
    const points = await query([{ groupBy: ['upper(ServiceName)'] }], { granularity: '1d' })
    expect(points.map((point) => point['group']).toSorted()).toEqual([['API'], ['WEB']])
  })

  test('joins series of different sources', async () => {
    expect(await query([{}, { sourceId: 'trace', aggFn: 'max', field: 'Duration' }], { granularity: '1h' })).toEqual([
      { ts_bucket: hour, group: [], 'series_0.data': '3', 'series_1.data': 400 },
      { ts_bucket: hour + 60 * minute, group: [], 'series_0.data': '2' },
    ])
  })

  test('includes both ends of the range', async () => {
    const points = await query([{}], { startTime: hour + 1000, endTime: hour + 2 * minute, granularity: '1m' })
    expect(points).toEqual([
      { ts_bucket: hour, group: [], 'series_0.data': '1' },
      { ts_bucket: hour + 2 * minute, group: [], 'series_0.data': '1' },
    ])
  })

  test('as columns: the rows of each series', async () => {
    const rows = await query([{ groupBy: ['ServiceName'] }, { where: 'web', groupBy: ['ServiceName'] }], {
      granularity: '1h',
      seriesReturnType: 'column',
    })
    expect(rows).toEqual([
      { series_0: '3', ServiceName: 'api', __hdx_time_bucket: new Date(hour).toISOString().replace('.000', '') },
      {
        series_0: '2',
        ServiceName: 'web',
        __hdx_time_bucket: new Date(hour + 60 * minute).toISOString().replace('.000', ''),
      },
    ])
  })

  test('auto makes about sixty buckets', async () => {
    const points = await query([{}], { endTime: hour + 60 * minute, granularity: 'auto' })
    expect(points.map((point) => point['ts_bucket'])).toEqual([hour, hour + 2 * minute])
  })
})

describe('aggregations over spans', () => {
  test.each([
    ['count', undefined, '4'],
    ['count_distinct', 'TraceId', '3'],
    ['sum', 'Duration', 1000],
    ['avg', 'Duration', 250],
    ['min', 'Duration', 100],
    ['max', 'Duration', 400],
    ['quantile', 'Duration', 250],
    ['last_value', 'Duration', 400],
    ['none', 'countIf(Duration > 150) / count()', 0.75],
    ['avg', 'Duration / 100', 2.5],
    ['avg', 'SpanAttributes.app.latency', 2],
    ['sum', "SpanAttributes['app.latency']", 4],
  ] as const)('%s of %s', async (aggFn, field, expected) => {
    const [point, ...others] = await query([{ sourceId: 'trace', aggFn, field }])
    expect(others).toEqual([])
    expect(point?.['series_0.data']).toEqual(expected)
  })

  test('any is one of the values', async () => {
    const [point] = await query([{ sourceId: 'trace', aggFn: 'any', field: 'SpanName' }])
    expect(spans.map((row) => row.SpanName)).toContain(point?.['series_0.data'])
  })

  test('a quantile at its level', async () => {
    const [point] = await query([{ sourceId: 'trace', aggFn: 'quantile', field: 'Duration', level: 1 }])
    expect(point?.['series_0.data']).toBe(400)
  })

  test('combines aggregations with separate filters', async () => {
    for (const aggFn of ['count_distinct', 'sum', 'avg', 'min', 'max', 'quantile', 'last_value', 'any'] as const) {
      const series = { sourceId: 'trace', aggFn, field: 'Duration' }
      const [point] = await query([series, { ...series, where: 'Duration:200' }])
      expect(Number(point?.['series_1.data']), aggFn).toBe(aggFn === 'count_distinct' ? 1 : 200)
    }
  })
})

describe('filters', () => {
  const count = async (where: string, series: Series = {}) => {
    const [point] = await query([{ where, ...series }], { granularity: '1d' })
    return Number(point?.['series_0.data'] ?? 0)
  }

  test.each([
    ['', 5],
    ['  ', 5],
    ['refused', 1],
    ['REFUSED', 1],
    ['refuse', 0],
    ['conn*', 2],
    ['*reset', 1],
    ['*upst*', 1],
    ['"connection refused"', 1],
    ['"connection ref"', 0],
    ['http://localhost:8080/cart', 1],
    ['localhost:8080', 1],
    ['-connection', 3],
    ['SeverityText:err', 2],
    ['SeverityText:"err"', 0],
    ['SeverityText:"error"', 2],
    ['SeverityText:ERR*', 2],
    ['SeverityText:(err*)', 2],
    ['SeverityText:(*rr)', 0],
    ['ServiceName:(api OR web)', 5],
    ['ServiceName:("ap" OR nothing)', 3],
    ['NOT ServiceName:api', 2],
    ['-ServiceName:api', 2],
    ['!ServiceName:api', 2],
    ['ServiceName:api SeverityText:info', 2],
    ['ServiceName:api AND SeverityText:error', 1],
    ['ServiceName:api && SeverityText:error', 1],
    ['ServiceName:web OR SeverityText:error', 3],
    ['ServiceName:web || SeverityText:error', 3],
    ['SeverityText:info AND (ServiceName:web OR connection)', 1],
    ['SeverityText:info ServiceName:web OR ServiceName:api', 4],
    ['LogAttributes.http.status_code:200', 2],
    ['LogAttributes.http.status_code:"20"', 0],
    ['LogAttributes.http.status_code:>=404', 2],
    ['LogAttributes.http.status_code:<100', 1],
    ['LogAttributes.http.status_code:[200 TO 404]', 3],
    ['LogAttributes.http.status_code:{200 TO 404}', 0],
    ['LogAttributes.http.status_code:{200 TO 404]', 1],
    ['LogAttributes.http.status_code:[404 TO *]', 2],
    ['LogAttributes.http.status_code:*', 5],
    ['LogAttributes.nothing:*', 0],
    ['-LogAttributes.nothing:*', 5],
    ['LogAttributes:404', 1],
    ['SeverityNumber:0', 5],
    ['SeverityNumber:"0"', 5],
    ['SeverityNumber:[* TO *]', 5],
    ['SeverityNumber:>0', 0],
    ['Timestamp:>"2020-01-01"', 5],
    ['Body:100%', 0],
    ['Body:_tarted', 0],
    ['Body:http\\:', 1],
    ['TraceId:*', 0],
    ['*', 5],
  ])('%s', async (where, expected) => {
    expect(await count(where)).toBe(expected)
  })

  test.each([
    ["SeverityText = 'error'", 2],
    ["LogAttributes['http.status_code'] IN ('200', '404')", 3],
    ["match(Body, '^conn')", 2],
    ['SeverityNumber', 0],
    ['true', 5],
  ])('sql: %s', async (where, expected) => {
    expect(await count(where, { whereLanguage: 'sql' })).toBe(expected)
  })
})

describe('rejected queries', () => {
  test.each<[Series, string, RegExp]>([
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
})
