import { describe, expect, test } from 'vitest'
import { chartQuery } from '#contract/stack/charts.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { never, seriesScene, type TestSeries } from '../../testing/seriesScene.ts'
import { matchingRows } from './matchingRows.ts'
import { querySeries } from './seriesQuery.ts'

const { engine, query, hour, minute, spans } = await seriesScene()

const groupOf = (point: object): unknown =>
  'group' in point && Array.isArray(point.group) ? point.group[0] : undefined

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
  const count = async (where: string, series: TestSeries = {}) => {
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
