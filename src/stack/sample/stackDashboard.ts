/** The dashboard of the stack's own telemetry, and the alert on its failed requests. */
import { alertInputStrict } from '#contract/stack/alerts.ts'
import { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { ownServices } from '#contract/stack/ownTelemetry.ts'
import type { Source } from '#contract/stack/sources.ts'
import {
  bytes,
  nanoseconds,
  percent,
  seconds,
  sourceIds,
  tile,
  type SourceIds,
  type TileInput,
} from './dashboardTiles.ts'

const own = `ServiceName:"${ownServices.stack}"`
/** Without requests to the collector, which would outnumber the requests of users and clients. */
const ingest = ['logs', 'traces', 'metrics'].map((signal) => `-SpanName:"POST /v1/${signal}"`).join(' AND ')
const requests = `${own} AND SpanKind:"Server" AND ${ingest} AND -SpanName:opentelemetry`
const failed = `${requests} AND StatusCode:"Error"`
const errorTile = 'Failed requests'

const introduction = `### Stack health
The stack's own telemetry, sent through its own collector: requests to its API, their latency,
alerts, and logs.

Any OpenTelemetry SDK can send telemetry here too.`

export const stackDashboard = {
  dashboard: (sources: readonly Source[]) => {
    const ids = sourceIds(sources)
    return dashboardCreateStrict.parse({
      name: 'Stack health',
      tags: ['stack'],
      tiles: [...overview(ids), ...requestCharts(ids), ...processCharts(ids), ...alertCharts(ids), logChart(ids)],
    })
  },

  /** `dashboard` is the stored one: its tiles have IDs. */
  alerts: (dashboard: { id: string; tiles: readonly { id: string; name: string }[] }, webhookId: string) => {
    const tileId = dashboard.tiles.find((tile) => tile.name === errorTile)?.id
    return [
      alertInputStrict.parse({
        name: 'Stack returns errors',
        message: 'More than a few requests to the stack failed within five minutes.',
        source: 'tile',
        dashboardId: dashboard.id,
        tileId,
        interval: '5m',
        threshold: 5,
        thresholdType: 'above',
        channel: { type: 'webhook', webhookId },
      }),
    ]
  },
}

/** The requests to the API in numbers. */
function overview({ traces }: SourceIds): TileInput[] {
  return [
    tile('About', [0, 0, 6, 4], { displayType: 'markdown', markdown: introduction }),
    tile('Requests', [6, 0, 6, 4], {
      displayType: 'number',
      sourceId: traces,
      select: [{ aggFn: 'count', where: requests }],
      numberFormat: { output: 'number', thousandSeparated: true },
    }),
    tile(errorTile, [12, 0, 6, 4], {
      displayType: 'number',
      sourceId: traces,
      select: [{ aggFn: 'count', where: failed }],
      colorRules: [{ operator: 'gt', value: 0, color: 'chart-error', label: 'failing' }],
    }),
    tile('Latency (p95)', [18, 0, 6, 4], {
      displayType: 'number',
      sourceId: traces,
      select: [{ aggFn: 'quantile', level: 0.95, valueExpression: 'Duration', where: requests }],
      numberFormat: nanoseconds,
    }),
  ]
}

function requestCharts({ traces }: SourceIds): TileInput[] {
  return [
    tile('Requests by route', [0, 4, 12, 7], {
      displayType: 'stacked_bar',
      sourceId: traces,
      select: [{ aggFn: 'count', where: requests }],
      groupBy: 'SpanName',
    }),
    tile('Latency', [12, 4, 12, 7], {
      displayType: 'line',
      sourceId: traces,
      select: ([0.5, 0.95, 0.99] as const).map((level) => ({
        aggFn: 'quantile',
        level,
        valueExpression: 'Duration',
        where: requests,
        alias: `p${level * 100}`,
      })),
      numberFormat: nanoseconds,
    }),
    tile('Slowest routes', [0, 11, 12, 7], {
      displayType: 'table',
      sourceId: traces,
      select: [
        { aggFn: 'count', where: requests, alias: 'Requests' },
        {
          aggFn: 'quantile',
          level: 0.95,
          valueExpression: 'Duration',
          where: requests,
          alias: 'p95',
          numberFormat: nanoseconds,
        },
        { aggFn: 'max', valueExpression: 'Duration', where: requests, alias: 'Slowest', numberFormat: nanoseconds },
      ],
      groupBy: 'SpanName',
      orderBy: '"p95" DESC',
    }),
    tile('Responses by status', [12, 11, 12, 7], {
      displayType: 'bar',
      sourceId: traces,
      select: [{ aggFn: 'count', where: requests }],
      groupBy: `SpanAttributes['http.response.status_code']`,
    }),
  ]
}

function processCharts({ metrics }: SourceIds): TileInput[] {
  return [
    tile('Memory', [0, 18, 8, 6], {
      displayType: 'line',
      sourceId: metrics,
      select: [gauge('process.memory.usage')],
      numberFormat: bytes,
    }),
    tile('CPU', [8, 18, 8, 6], {
      displayType: 'line',
      sourceId: metrics,
      select: [gauge('process.cpu.utilization')],
      numberFormat: percent,
    }),
    tile('Event loop delay (p99)', [16, 18, 8, 6], {
      displayType: 'line',
      sourceId: metrics,
      select: [gauge('nodejs.eventloop.delay.p99')],
      numberFormat: seconds,
    }),
  ]
}

function alertCharts({ metrics }: SourceIds): TileInput[] {
  return [
    tile('Alert evaluations', [0, 24, 8, 6], {
      displayType: 'stacked_bar',
      sourceId: metrics,
      select: [counter('alerts.evaluations', 'evaluated'), counter('alerts.evaluation.errors', 'errors')],
    }),
    tile('Alert evaluation lag', [8, 24, 8, 6], {
      displayType: 'line',
      sourceId: metrics,
      select: [gauge('alerts.evaluation.lag')],
      numberFormat: seconds,
    }),
    tile('Notifications by outcome', [16, 24, 8, 6], {
      displayType: 'stacked_bar',
      sourceId: metrics,
      select: [counter('alerts.deliveries')],
      groupBy: `Attributes['status']`,
    }),
  ]
}

function logChart({ logs }: SourceIds): TileInput {
  return tile('Log records by severity', [0, 30, 24, 6], {
    displayType: 'stacked_bar',
    sourceId: logs,
    select: [{ aggFn: 'count', where: own }],
    groupBy: 'SeverityText',
  })
}

function gauge(metricName: string) {
  return { aggFn: 'max', valueExpression: 'Value', metricType: 'gauge', metricName, where: own } as const
}

function counter(metricName: string, alias?: string) {
  return {
    aggFn: 'increase',
    valueExpression: 'Value',
    metricType: 'sum',
    metricName,
    where: own,
    ...(alias && { alias }),
  } as const
}
