/** Logs and spans of two services in an engine, and chart queries about them. */
import { afterAll, expect } from 'vitest'
import { chartQuery, type ChartQuery } from '#contract/stack/charts.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { querySeries } from '../telemetry/series/seriesQuery.ts'
import type { LogRow, SpanRow } from '../telemetry/tableRows.ts'
import { tables } from '../telemetry/tables.ts'
import { readableSources } from './metricSeries.ts'
import { temporaryEngine } from './temporaryEngine.ts'

/** Ten o'clock yesterday, so that no day ends within the queried hours. */
const hour = (Math.floor(currentTime() / 86_400_000) - 1) * 86_400_000 + 10 * 3_600_000
const minute = 60_000
/** A signal that never fires. */
export const never: AbortSignal = new AbortController().signal

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

export type TestSeries = Partial<ChartQuery['series'][number]>

/** Opens an engine with the rows, until the tests of the file have ended. */
export async function seriesScene() {
  const engine = await temporaryEngine()
  afterAll(() => engine.close())
  await engine.insert(tables.logs, logs)
  await engine.insert(tables.traces, spans)

  const query = (series: TestSeries[], rest: Partial<ChartQuery> = {}) =>
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
  /** The error of a query that has to be refused. */
  const failure = (series: TestSeries[], rest: Partial<ChartQuery> = {}) =>
    query(series, rest).then(
      () => expect.unreachable('should have been refused'),
      (error: unknown) => error,
    )
  return { engine, query, failure, hour, minute, spans }
}
