/** The dashboard of the sample shop. It shows why payments failed. */
import { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import type { Source } from '#contract/stack/sources.ts'
import { nanoseconds, percent, sourceIds, tile, type SourceIds, type TileInput } from './dashboardTiles.ts'

const shop = 'ResourceAttributes.telemetry.sample:"true"'
const visits = `${shop} AND ServiceName:"shop-web" AND SpanKind:"Server"`
const checkouts = `${visits} AND SpanName:"POST /checkout"`

const introduction = `### Sample: small shop
**Generated telemetry** of six services over seven days. All records have the resource attribute
\`telemetry.sample\` and can be removed at once.

About 30 hours before the sample was generated, most payments failed for 40 minutes. [The charts of the last two
days](?from=now-2d) show when, the logs of \`shop-payment\` show why.`

/** Tiles that alerts watch. */
export const sampleTiles = { orders: 'Orders' }

export function sampleDashboard(sources: readonly Source[]) {
  const ids = sourceIds(sources)
  return dashboardCreateStrict.parse({
    name: 'Sample: small shop',
    tags: ['sample'],
    tiles: [...overview(ids), ...charts(ids), ...details(ids)],
  })
}

/** The sample in words and numbers. */
function overview({ logs, traces }: SourceIds): TileInput[] {
  return [
    tile('About', [0, 0, 8, 6], { displayType: 'markdown', markdown: introduction }),
    tile(sampleTiles.orders, [8, 0, 8, 3], {
      displayType: 'number',
      sourceId: logs,
      select: [{ aggFn: 'count', where: `${shop} AND ServiceName:"shop-checkout" AND LogAttributes.order.amount:*` }],
      numberFormat: { output: 'number', thousandSeparated: true },
    }),
    tile('Revenue', [16, 0, 8, 3], {
      displayType: 'number',
      sourceId: logs,
      select: [
        {
          aggFn: 'sum',
          valueExpression: `LogAttributes['order.amount']`,
          where: `${shop} AND ServiceName:"shop-checkout"`,
        },
      ],
      numberFormat: { output: 'currency', currencySymbol: '€', thousandSeparated: true, mantissa: 0 },
    }),
    tile('Failed checkouts', [8, 3, 8, 3], {
      displayType: 'number',
      sourceId: traces,
      select: [{ aggFn: 'count', where: `${checkouts} AND StatusCode:"Error"` }],
      colorRules: [{ operator: 'gt', value: 0, color: 'chart-error' }],
    }),
    tile('Checkout p95', [16, 3, 8, 3], {
      displayType: 'number',
      sourceId: traces,
      select: [{ aggFn: 'quantile', level: 0.95, valueExpression: 'Duration', where: checkouts }],
      colorRules: [{ operator: 'gt', value: 8e8, color: 'chart-error' }],
      numberFormat: nanoseconds,
    }),
  ]
}

/** Where and when payments failed. */
function charts({ logs, traces, metrics }: SourceIds): TileInput[] {
  return [
    tile('Visits', [0, 6, 12, 7], {
      displayType: 'stacked_bar',
      sourceId: traces,
      select: [{ aggFn: 'count', where: visits }],
      groupBy: 'SpanName',
    }),
    tile('Checkout latency', [12, 6, 12, 7], {
      displayType: 'line',
      sourceId: traces,
      select: ([0.5, 0.95] as const).map((level) => ({
        aggFn: 'quantile',
        level,
        valueExpression: 'Duration',
        where: checkouts,
        alias: `p${level * 100}`,
      })),
      numberFormat: nanoseconds,
    }),
    tile('Errors by service', [0, 13, 12, 7], {
      displayType: 'stacked_bar',
      sourceId: logs,
      select: [{ aggFn: 'count', where: `${shop} AND SeverityText:"ERROR"` }],
      groupBy: 'ServiceName',
    }),
    tile('Connections to the payment provider', [12, 13, 12, 7], {
      displayType: 'line',
      sourceId: metrics,
      select: [poolConnections('used'), poolConnections('idle')],
    }),
  ]
}

/** Each operation, and the processor time of each service. */
function details({ traces, metrics }: SourceIds): TileInput[] {
  return [
    tile('Slowest operations', [0, 20, 12, 8], {
      displayType: 'table',
      sourceId: traces,
      select: [
        { aggFn: 'count', where: shop, alias: 'Spans' },
        {
          aggFn: 'quantile',
          level: 0.99,
          valueExpression: 'Duration',
          where: shop,
          alias: 'p99',
          numberFormat: nanoseconds,
        },
      ],
      groupBy: 'ServiceName,SpanName',
      orderBy: '"p99" DESC',
    }),
    tile('CPU', [12, 20, 12, 8], {
      displayType: 'line',
      sourceId: metrics,
      select: [
        {
          aggFn: 'avg',
          valueExpression: 'Value',
          metricType: 'gauge',
          metricName: 'process.cpu.utilization',
          where: shop,
        },
      ],
      groupBy: 'ServiceName',
      numberFormat: percent,
    }),
  ]
}

function poolConnections(state: string) {
  return {
    aggFn: 'avg',
    valueExpression: 'Value',
    metricType: 'gauge',
    metricName: 'provider.pool.connections',
    where: `ServiceName:"shop-payment" AND Attributes.pool.state:"${state}"`,
    alias: state,
  } as const
}
