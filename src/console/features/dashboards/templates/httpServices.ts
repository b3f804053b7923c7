/** Requests, failures and latency of services that answer HTTP requests, from the spans of their servers. */
import { formats, type SeriesInput, tile, type TileInput } from './templateTiles.ts'

const served = 'SpanKind:"Server"'
const failed = `${served} AND StatusCode:"Error"`
/** The newer name of the attribute, or the one of older instrumentation. */
const statusCode = `coalesce(nullIf(SpanAttributes['http.response.status_code'], ''), SpanAttributes['http.status_code'])`

const requests: SeriesInput = { aggFn: 'count', where: served, alias: 'Requests' }
const failures: SeriesInput = { aggFn: 'count', where: failed, alias: 'Failed' }
const latency = (level: number): SeriesInput => ({
  aggFn: 'quantile',
  level,
  valueExpression: 'Duration',
  where: served,
  alias: `p${level * 100}`,
  numberFormat: formats.nanoseconds,
})
const share = { formulas: [{ expression: 'A / B', alias: 'Failed share' }], numberFormat: formats.percent }

export function httpServiceTiles(sourceId: string): TileInput[] {
  return [
    tile('Requests', [0, 0, 8, 5], {
      displayType: 'number',
      sourceId,
      select: [requests],
      numberFormat: formats.count,
      backgroundChart: { type: 'area' },
    }),
    tile('Failed share', [8, 0, 8, 5], {
      displayType: 'number',
      sourceId,
      select: [failures, requests],
      ...share,
      colorRules: [{ operator: 'gt', value: 0.05, color: 'chart-error' }],
    }),
    tile('Latency (p95)', [16, 0, 8, 5], {
      displayType: 'number',
      sourceId,
      select: [latency(0.95)],
      numberFormat: formats.nanoseconds,
    }),
    tile('Requests by service', [0, 5, 12, 7], {
      displayType: 'stacked_bar',
      sourceId,
      select: [requests],
      groupBy: 'ServiceName',
    }),
    tile('Failed share by service', [12, 5, 12, 7], {
      displayType: 'line',
      sourceId,
      select: [failures, requests],
      groupBy: 'ServiceName',
      ...share,
    }),
    tile('Latency', [0, 12, 12, 7], {
      displayType: 'line',
      sourceId,
      select: [latency(0.5), latency(0.95), latency(0.99)],
      numberFormat: formats.nanoseconds,
    }),
    tile('Responses by status code', [12, 12, 12, 7], {
      displayType: 'stacked_bar',
      sourceId,
      select: [{ aggFn: 'count', where: served, alias: 'Responses' }],
      groupBy: statusCode,
    }),
    tile('Slowest routes', [0, 19, 24, 9], {
      displayType: 'table',
      sourceId,
      select: [requests, failures, latency(0.5), latency(0.95)],
      groupBy: 'ServiceName, SpanName',
      orderBy: '"p95" DESC',
      groupByColumnsOnLeft: true,
    }),
  ]
}
