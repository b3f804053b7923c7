import { expect, test } from 'vitest'
import type { ChartPoint } from '#contract/stack/charts.ts'
import { maxBuckets } from '#contract/stack/charts.ts'
import type { AlertSeriesQuery } from '#domain/alerting/alertQuery.ts'
import type { Schedule } from '#domain/alerting/schedule.ts'
import { watchedQuery } from './watchedQuery.ts'
import { watchedRequest, type WatchedRequest } from './watchedRequest.ts'
import { watchedWindows } from './watchedWindows.ts'

const minute = 60_000
const noon = Date.UTC(2026, 0, 7, 12)
const day = 1440 * minute

const count: AlertSeriesQuery = {
  kind: 'series',
  sourceId: 'there',
  groupBy: [],
  series: [{ aggFn: 'count', conditions: [] }],
  value: { kind: 'series', index: 0 },
}

function request(alertQuery: AlertSeriesQuery, schedule: Schedule, length = 60 * minute) {
  return watchedRequest({ alertQuery, schedule, range: { from: noon - length, to: noon + 1 }, sourceId: 'here' })
}

function requested(...wanted: Parameters<typeof request>): WatchedRequest {
  const made = request(...wanted)
  if (made.kind !== 'request') throw new Error(made.sentence)
  return made
}

const reasonOf = (result: { kind: string; reason?: string }) => result.reason ?? result.kind

test('a window is a bucket, and only ended windows are requested', () => {
  const { query, windows, shortenedFrom } = requested(count, { interval: '5m' })
  expect(query).toMatchObject({ startTime: noon - 60 * minute, endTime: noon, granularity: '5m' })
  expect(query.series).toEqual([{ aggFn: 'count', sourceId: 'here', groupBy: [], where: '', whereLanguage: 'lucene' }])
  expect(windows).toHaveLength(12)
  expect(windows.at(-1)).toEqual({ start: noon - 5 * minute, end: noon })
  expect(shortenedFrom).toBeNull()
})

test('what is drawn may have the largest groups alone, and the others are no group', () => {
  const schedule = { interval: '5m' }
  const range = { from: noon - 60 * minute, to: noon + 1 }
  const grouped = { ...count, groupBy: ['ServiceName'] }
  const made = watchedRequest({ alertQuery: grouped, schedule, range, sourceId: 'here', topGroups: 1000 })
  if (made.kind !== 'request') throw new Error(made.sentence)
  expect(made.query.topGroups).toBe(1000)
  expect(requested(grouped, schedule).query).not.toHaveProperty('topGroups')
  const at = { ts_bucket: noon - 5 * minute }
  const read = watchedWindows(made, [
    { ...at, group: ['api'], 'series_0.data': '3' },
    { ...at, group: [], otherGroups: 9000, 'series_0.data': '70' },
  ])
  if (read.kind !== 'windows') throw new Error(read.sentence)
  expect(read.windows.at(-1)?.values.map(({ value }) => value)).toEqual([3])
})

test('windows with an offset or a start are several buckets, if their values add up', () => {
  const offset = requested(count, { interval: '1h', scheduleOffsetMinutes: 20 }, 3 * 60 * minute)
  expect(offset.query).toMatchObject({ granularity: '10m', endTime: noon - 40 * minute })
  expect(
    requested(count, { interval: '1h', scheduleStartAt: '2026-01-01T00:30:00Z' }, 3 * 60 * minute).query.granularity,
  ).toBe('30m')
  const average = { ...count, series: [{ aggFn: 'avg' as const, field: 'Duration', conditions: [] }] }
  expect(reasonOf(request(average, { interval: '1h', scheduleOffsetMinutes: 20 }))).toBe('windows')
  expect(requested(average, { interval: '1h' }).query.granularity).toBe('1h')
  const gauge = {
    ...count,
    series: [{ aggFn: 'max' as const, metricName: 'a', metricDataType: 'gauge' as const, conditions: [] }],
  }
  expect(reasonOf(request(gauge, { interval: '1h', scheduleOffsetMinutes: 20 }))).toBe('windows')
  expect(reasonOf(request(count, { interval: '5m', scheduleStartAt: '2026-01-01T00:00:07Z' }))).toBe('windows')
  expect(reasonOf(request(count, { interval: 'soon' }))).toBe('windows')
})

test('a range beyond the limit of buckets is shortened, and says so', () => {
  const { windows, shortenedFrom, query } = requested(count, { interval: '1m' }, 30 * day)
  expect(windows).toHaveLength(maxBuckets)
  expect(shortenedFrom).toBe(noon - 30 * day)
  expect(query.endTime - query.startTime).toBe(maxBuckets * minute)
})

test('conditions become one, in a language that can express all of them', () => {
  const where = (...conditions: AlertSeriesQuery['series'][number]['conditions'][number][]) => {
    const made = request({ ...count, series: [{ aggFn: 'count', conditions }] }, { interval: '5m' })
    return made.kind === 'request' ? [made.query.series[0]?.where, made.query.series[0]?.whereLanguage] : made.reason
  }
  const sql = { text: "ServiceName IN ('cart')", language: 'sql' as const }
  expect(where(sql)).toEqual([sql.text, 'sql'])
  expect(where(sql, { text: 'a OR b', language: 'sql' })).toEqual([`(${sql.text}) AND (a OR b)`, 'sql'])
  expect(where({ text: 'error', language: 'lucene' }, sql)).toEqual(['error AND ServiceName:"cart"', 'lucene'])
  expect(where({ text: 'a:x || b:y', language: 'lucene' }, sql)).toEqual([
    '(a:x || b:y) AND ServiceName:"cart"',
    'lucene',
  ])
  // Each is read as a whole: as text, these would join to a condition that finds other rows.
  expect(where({ text: 'a:x) OR (b:y', language: 'lucene' }, sql)).toBe('condition')
  expect(where({ text: 'a:"x', language: 'lucene' }, { text: 'b:y"', language: 'lucene' })).toBe('condition')
  expect(where({ text: 'a = 1) OR (b = 2', language: 'sql' }, sql)).toBe('condition')
  expect(where({ text: "a = 'x", language: 'sql' }, { text: "b = y'", language: 'sql' })).toBe('condition')
  expect(where({ text: 'a = 1 /* only', language: 'sql' }, sql)).toBe('condition')
  expect(where({ text: 'a = 1; b = 2', language: 'sql' }, sql)).toBe('condition')
  expect(where({ text: "a = '--' OR b -- or c", language: 'sql' }, sql)).toEqual([
    `(a = '--' OR b -- or c\n) AND (${sql.text})`,
    'sql',
  ])
  expect(where({ text: 'error', language: 'lucene' }, { text: 'a > 1', language: 'sql' })).toBe('languages')
})

function read(made: WatchedRequest, points: readonly ChartPoint[]) {
  const result = watchedWindows(made, points)
  if (result.kind !== 'windows') throw new Error(result.sentence)
  return result.windows.filter(({ values }) => values.length > 0)
}

test('windows have the values of the evaluator: groups by key, empty windows without values', () => {
  const made = requested({ ...count, groupBy: ['ServiceName', 'Code'] }, { interval: '5m' })
  const at = noon - 10 * minute
  const points = [
    { ts_bucket: at, group: ['cart', 500], 'series_0.data': '12' },
    { ts_bucket: at, group: ['', null], 'series_0.data': null },
    { ts_bucket: noon, group: ['cart', 500], 'series_0.data': '3' },
  ]
  expect(read(made, points)).toEqual([
    {
      start: at,
      end: at + 5 * minute,
      values: [{ key: 'ServiceName:cart, Code:500', group: { ServiceName: 'cart', Code: '500' }, value: 12 }],
    },
  ])
})

test('the buckets of a window are put together, before a ratio is made of them', () => {
  const ratio: AlertSeriesQuery = {
    ...count,
    series: [
      { aggFn: 'count', conditions: [] },
      { aggFn: 'max', field: 'Duration', conditions: [] },
    ],
    value: {
      kind: 'operation',
      operator: '/',
      left: { kind: 'series', index: 0 },
      right: { kind: 'series', index: 1 },
    },
  }
  const made = requested(ratio, { interval: '1h', scheduleOffsetMinutes: 30 }, 3 * 60 * minute)
  const start = noon - 90 * minute
  const points = [
    { ts_bucket: start, group: [], 'series_0.data': '10', 'series_1.data': 2 },
    { ts_bucket: start + 30 * minute, group: [], 'series_0.data': '30', 'series_1.data': 4 },
  ]
  expect(read(made, points)).toEqual([
    { start, end: start + 60 * minute, values: [{ key: '', group: null, value: 10 }] },
  ])
})

test('a series of counts without rows is 0 beside others with rows, any other is missing', () => {
  const two = (aggFn: 'count' | 'avg'): AlertSeriesQuery => ({
    ...count,
    series: [
      { aggFn, conditions: [] },
      { aggFn: 'count', conditions: [] },
    ],
    value: {
      kind: 'operation',
      operator: '-',
      left: { kind: 'series', index: 1 },
      right: { kind: 'series', index: 0 },
    },
  })
  const points = [{ ts_bucket: noon - 5 * minute, group: [], 'series_1.data': '7' }]
  expect(read(requested(two('count'), { interval: '5m' }), points)[0]?.values[0]?.value).toBe(7)
  expect(read(requested(two('avg'), { interval: '5m' }), points)).toEqual([])
})

test('values that are no numbers, and buckets that begin elsewhere, are no windows', () => {
  const made = requested(count, { interval: '5m' })
  const at = noon - 10 * minute
  expect(reasonOf(watchedWindows(made, [{ ts_bucket: at, group: [], 'series_0.data': 'cart' }]))).toBe('value')
  expect(reasonOf(watchedWindows(made, [{ ts_bucket: at + minute, group: [], 'series_0.data': '1' }]))).toBe('windows')
})

const tile = (config: Record<string, unknown>) => ({ id: 't', name: 'T', x: 0, y: 0, w: 1, h: 1, config })
const watch = (config: Record<string, unknown>) =>
  watchedQuery(
    { source: 'tile', dashboardId: 'd', tileId: 't' },
    { dashboards: [{ id: 'd', name: 'D', tiles: [tile(config)], tags: [], filters: [] }], savedSearches: [] },
  )
const sourceId = '65f000000000000000000001'
const select = [{ aggFn: 'count', where: 'a', whereLanguage: 'sql' }]

test('tiles are read as the evaluator reads them', () => {
  expect(watch({ displayType: 'line', sourceId, select, groupBy: 'a, b' })).toMatchObject({
    kind: 'series',
    alertQuery: {
      sourceId,
      groupBy: ['a', 'b'],
      series: [{ aggFn: 'count', conditions: [{ text: 'a', language: 'sql' }] }],
    },
  })
  expect(reasonOf(watch({ displayType: 'table', sourceId, select }))).toBe('tile')
  const sql = { configType: 'sql', displayType: 'line', connectionId: sourceId, sqlTemplate: 'SELECT 1' }
  expect(reasonOf(watch(sql))).toBe('sql')
})

test('saved searches are counted with their pinned filters', () => {
  const search = { id: 's', name: 'S', sourceId, where: 'error', whereLanguage: 'lucene' }
  const watching = { source: 'saved_search', savedSearchId: 's', groupBy: 'ServiceName' }
  const filters = [{ type: 'sql', condition: "a IN ('b')" }]
  expect(watchedQuery(watching, { dashboards: [], savedSearches: [{ ...search, filters }] })).toMatchObject({
    alertQuery: {
      groupBy: ['ServiceName'],
      series: [
        {
          conditions: [
            { text: 'error', language: 'lucene' },
            { text: "a IN ('b')", language: 'sql' },
          ],
        },
      ],
    },
  })
  const { where: _, ...unreadable } = search
  expect(reasonOf(watchedQuery(watching, { dashboards: [], savedSearches: [unreadable] }))).toBe('missing')
  expect(reasonOf(watchedQuery({ ...watching, savedSearchId: '' }, { dashboards: [], savedSearches: [] }))).toBe(
    'notChosen',
  )
})
