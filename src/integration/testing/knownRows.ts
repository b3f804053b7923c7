/** One engine with known rows, queried with the responses of the stack and of deployments. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { charts, chartQueryAsSent, type ChartPoint, type ChartQuery } from '#contract/stack/charts.ts'
import { search } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { queryChartsWith } from '#console/charting/queryCharts.ts'
import type { ChartBehavior } from '#stack/config.ts'
import type { StackContext } from '#stack/resources/context.ts'
import { chartHandlers } from '#stack/resources/charts.ts'
import { searchHandlers } from '#stack/resources/search/search.ts'
import { sourceRows } from '#stack/resources/sources.ts'
import { openStore, type Store } from '#stack/store/store.ts'
import { defaultSources } from '#stack/telemetry/defaultSources.ts'
import type { Engine } from '#stack/telemetry/engine/engine.ts'
import { readableDatabases } from '#stack/telemetry/readableTables.ts'
import { runStatement } from '#stack/telemetry/sql/runStatement.ts'
import { tables } from '#stack/telemetry/tables.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'

export const minute = 60_000
export const hour = 60 * minute
/** Ten o'clock yesterday. */
export const start = (Math.floor(currentTime() / 86_400_000) - 1) * 86_400_000 + 10 * hour

/** Sources of the kinds, each with its kind as its id. */
export const sources: readonly Source[] = defaultSources().map((source) => ({ ...source, id: source.kind }))

const nanoseconds = (at: number) => `${((start + at) / 1000).toFixed(3)}000000`
const seconds = (at: number) => Math.floor((start + at) / 1000)

const span = (at: number, ServiceName: string, milliseconds: number, status: string) => ({
  Timestamp: nanoseconds(at),
  ServiceName,
  SpanName: `GET /${ServiceName}`,
  Duration: milliseconds * 1e6,
  SpanAttributes: { 'http.request.method': status === '500' ? 'POST' : 'GET', 'http.response.status_code': status },
})
const log = (at: number, SeverityText: string, Body: string) => ({
  Timestamp: nanoseconds(at),
  SeverityText,
  ServiceName: 'shop',
  Body,
})

/** Twelve minutes from `start`, one point a minute of each of two time series. */
const minutes = Array.from({ length: 12 }, (_, at) => at * minute)
const metric = (at: number, MetricName: string, ServiceName: string) => ({
  MetricName,
  ServiceName,
  Attributes: { 'host.name': `${ServiceName}-1` },
  StartTimeUnix: seconds(0),
  TimeUnix: seconds(at),
})

async function fill(engine: Engine): Promise<void> {
  await engine.insert(tables.traces, [
    span(0, 'cart', 2, '200'),
    span(minute, 'cart', 4, '200'),
    span(6 * minute, 'web', 6, '500'),
  ])
  await engine.insert(tables.logs, [
    log(0, 'info', 'the order 17 was placed'),
    log(minute, 'error', 'payment refused: order 18'),
    log(6 * minute, 'info', 'cart emptied'),
  ])
  await engine.insert(
    tables.gauge,
    minutes.flatMap((at) => [
      { ...metric(at, 'memory', 'cart'), Value: 10 },
      { ...metric(at, 'memory', 'web'), Value: 30 },
    ]),
  )
  await engine.insert(
    tables.sum,
    minutes.flatMap((at) => [
      { ...metric(at, 'requests', 'cart'), Value: 1, AggregationTemporality: 1, IsMonotonic: true },
      { ...metric(at, 'requests', 'web'), Value: 5, AggregationTemporality: 1, IsMonotonic: true },
    ]),
  )
  const buckets = { ExplicitBounds: [1, 2], AggregationTemporality: 1, Sum: 0 }
  await engine.insert(
    tables.histogram,
    minutes.flatMap((at) => [
      { ...metric(at, 'latency', 'cart'), ...buckets, Count: 2, BucketCounts: [2, 0, 0] },
      { ...metric(at, 'latency', 'web'), ...buckets, Count: 4, BucketCounts: [0, 4, 0] },
    ]),
  )
}

/** The engine and its queries for the tests of one file. Available once the tests run. */
export function knownRows() {
  let directory: string
  let store: Store
  let engine: Engine
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'known-rows-'))
    store = await openStore({ file: join(directory, 'stack.db') })
    for (const source of sources) await sourceRows.insert(store, source)
    engine = await temporaryEngine()
    await fill(engine)
  })
  afterAll(async () => {
    await engine.close()
    store.close()
    await rm(directory, { recursive: true, force: true })
  })

  /** The response of a server with this behavior to an unmodified query. */
  async function answer(query: ChartQuery, chartBehavior: ChartBehavior) {
    const signal = new AbortController().signal
    // The handler uses only this part of its context.
    const context = { engine, store, signal, chartBehavior } as StackContext
    const input = { body: chartQueryAsSent.parse(query), params: {}, query: {} }
    return charts.query.result.parse(await chartHandlers.query(input, context))
  }

  return {
    query: <T extends object>(sql: string) => engine.query<T>(sql),
    answer,
    /** The rows of a search. */
    search: async (body: object) => {
      const context = { engine, store, signal: new AbortController().signal } as StackContext // the handler uses only this part
      const input = { body: search.query.body.parse(body), params: {}, query: {} }
      return search.query.result.parse(await searchHandlers.query(input, context)).data
    },
    /** The rows of a statement that somebody wrote. */
    run: async (statement: string) => {
      const databases = readableDatabases({ engine, services: [], named: [] })
      const { columns, rows } = await runStatement(engine, { statement }, databases, new AbortController().signal)
      return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])))
    },
    /** The console's result. */
    ask: (query: ChartQuery, behavior: ChartBehavior): Promise<ChartPoint[]> =>
      queryChartsWith((body) => answer(body, behavior), query, sources),
  }
}
