/** `CHART_BEHAVIOR=deployment`: docs/DEPLOYMENTS.md#chart-series, over the real engine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { charts, chartQueryAsSent } from '#contract/stack/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { StackContext } from './context.ts'
import { openStore, type Store } from '../store/store.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { tables } from '../telemetry/tables.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { chartHandlers } from './charts.ts'
import { sourceRows } from './sources.ts'

/** Ten o'clock yesterday. */
const start = (Math.floor(currentTime() / 86_400_000) - 1) * 86_400_000 + 36_000_000
const minute = 60_000
let directory: string
let store: Store
let engine: Engine

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'charts-'))
  store = await openStore({ file: path.join(directory, 'stack.db') })
  for (const source of defaultSources()) await sourceRows.insert(store, { ...source, id: source.kind })
  engine = await temporaryEngine()
  const nanoseconds = (at: number) => `${Math.floor((start + at) / 1000)}.000000000`
  const seconds = (at: number) => Math.floor((start + at) / 1000)
  await engine.insert(tables.traces, [
    { Timestamp: nanoseconds(0), ServiceName: 'api', Duration: 2e6, SpanAttributes: { 'http.method': 'GET' } },
    { Timestamp: nanoseconds(1000), ServiceName: 'web', Duration: 4e6, SpanAttributes: { 'http.method': 'POST' } },
  ])
  await engine.insert(tables.logs, [{ Timestamp: nanoseconds(0), Body: 'an order', LogAttributes: { a: 'b' } }])
  const gauge = { MetricName: 'memory', ServiceName: 'api', StartTimeUnix: 0, Value: 7 }
  await engine.insert(tables.gauge, [
    { ...gauge, TimeUnix: seconds(0) },
    { ...gauge, TimeUnix: seconds(5 * minute) },
  ])
  await engine.insert(tables.histogram, [
    {
      MetricName: 'latency',
      ServiceName: 'api',
      TimeUnix: seconds(0),
      StartTimeUnix: 0,
      Count: 4,
      Sum: 4,
      BucketCounts: [0, 4, 0],
      ExplicitBounds: [1, 2],
      AggregationTemporality: 1,
    },
  ])
})
afterAll(async () => {
  await engine.close()
  store.close()
  await rm(directory, { recursive: true, force: true })
})

async function ask(series: object, more: object = {}) {
  const one = { sourceId: 'trace', aggFn: 'count', where: '', groupBy: [], ...series }
  const range = { startTime: start, endTime: start + 10 * minute, granularity: '5m' }
  const body = chartQueryAsSent.parse({ ...range, ...more, series: [one] })
  const signal = new AbortController().signal
  // The handler uses no more of its context than this.
  const context = { engine, store, signal, chartBehavior: 'deployment' } as StackContext
  return charts.query.result.parse(await chartHandlers.query({ body, params: {}, query: {} }, context))
}

const bucket = { ts_bucket: start }

describe('group', () => {
  test.each([['ServiceName'], ["arrayElement(SpanAttributes, 'http.method')"], ['lower(ServiceName)']])(
    '%s is found by the expression in the query',
    async (expression) => {
      const answer = await ask({ groupBy: [expression] })
      expect(answer).toHaveLength(2)
      expect(answer).not.toContainEqual(expect.objectContaining({ group: [null] }))
    },
  )

  test.each([["SpanAttributes['http.method']"], ['`ServiceName`'], ['round(Duration / 1e6)']])(
    '%s is not named, and all groups collapse into the last',
    async (expression) => {
      expect(await ask({ groupBy: [expression] })).toEqual([{ ...bucket, group: [null], 'series_0.data': '1' }])
    },
  )

  test('has the name of the engine in rows', async () => {
    const rows = await ask({ groupBy: ["SpanAttributes['http.method']"] }, { seriesReturnType: 'column' })
    const name = "arrayElement(SpanAttributes, 'http.method')"
    const time = new Date(start).toISOString().replace('.000', '')
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual({ series_0: '1', [name]: 'GET', __hdx_time_bucket: time })
    expect(rows).toContainEqual({ series_0: '1', [name]: 'POST', __hdx_time_bucket: time })
  })

  test('of a histogram is null, and an array in rows', async () => {
    const histogram = {
      sourceId: 'metric',
      aggFn: 'quantile',
      level: 0.5,
      metricName: 'latency',
      metricDataType: 'histogram',
      groupBy: ['ServiceName'],
    }
    expect(await ask(histogram)).toEqual([{ ...bucket, group: [null], 'series_0.data': 1.5 }])
    const [row] = await ask(histogram, { seriesReturnType: 'column' })
    expect(row).toMatchObject({ series_0: 1.5, group: ['api'] })
  })
})

test.each([
  ['Duration / 1000000.0', 0],
  ['Duration / 1e6', 3],
])('the average of %s is %d', async (field, value) => {
  expect(await ask({ aggFn: 'avg', field })).toEqual([{ ...bucket, group: [], 'series_0.data': value }])
})

test('metrics lose a bucket that begins before the range', async () => {
  const gauge = { sourceId: 'metric', aggFn: 'sum', metricName: 'memory', metricDataType: 'gauge' }
  expect(await ask(gauge)).toHaveLength(2)
  expect(await ask(gauge, { startTime: start - 1 })).toHaveLength(2)
  expect(await ask(gauge, { startTime: start + 1 })).toEqual([
    expect.objectContaining({ ts_bucket: start + 5 * minute }),
  ])
  expect(await ask(gauge, { granularity: '30d' })).toEqual([])
})

test.each([
  ["toFloat64OrZero(SpanAttributes['http.method'])", { aggFn: 'avg' }],
  ['', { where: 'order' }],
  ['', { sourceId: 'log', where: 'LogAttributes:b' }],
  ['', { groupBy: ['SpanAttributes.http.method'] }],
  ['', { sourceId: 'metric', aggFn: 'avg', metricName: 'latency', metricDataType: 'histogram' }],
  ['', { sourceId: 'metric', aggFn: 'count', metricName: 'latency', metricDataType: 'summary' }],
  ['Nothing', { aggFn: 'avg' }],
])('%s %j returns 500', async (field, series) => {
  await expect(ask({ ...series, ...(field && { field }) })).rejects.toMatchObject({ status: 500 })
})

test('free text is searched in a field', async () => {
  expect(await ask({ sourceId: 'log', where: 'Body:*order*' })).toHaveLength(1)
})

test.each(['where', 'groupBy'])('rejects a series without %s', async (field) => {
  await expect(ask({ [field]: undefined })).rejects.toMatchObject({
    parts: [{ part: 'Body', issues: [{ path: `series.0.${field}`, message: 'Required' }] }],
  })
})
