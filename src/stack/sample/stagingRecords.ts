/**
 * The records of the sample's staging environment: those of the sample with drift, so that a comparison, a promotion and a
 * history show something. One alert is fixed there, and one is missing.
 */
import { alertInputStrict } from '#contract/stack/alerts.ts'
import { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { WebhookInput } from '../documents/webhookRows.ts'
import { nanoseconds, sourceIds, tile } from './dashboardTiles.ts'
import { sampleAlerts, sampleSearches, type SampleAlerts, type SampleSearches } from './sampleAlerts.ts'
import { sampleDashboard } from './sampleDashboard.ts'

const shop = 'ResourceAttributes.telemetry.sample:"true"'

/** The dashboard of the shop with a tile of another name, and one that is only there. */
export function stagingDashboards(sources: readonly Source[]) {
  const shared = sampleDashboard(sources)
  const tiles = shared.tiles.map((tile) => (tile.name === 'Revenue' ? { ...tile, name: 'Revenue (gross)' } : tile))
  return { shop: { ...shared, tiles }, delivery: deliveryDashboard(sources) }
}

function deliveryDashboard(sources: readonly Source[]) {
  const { logs, traces } = sourceIds(sources)
  const checkouts = `${shop} AND SpanName:"POST /checkout" AND SpanKind:"Server"`
  return dashboardCreateStrict.parse({
    name: 'Sample: checkout quality',
    tags: ['sample'],
    tiles: [
      tile('Checkouts', [0, 0, 12, 7], {
        displayType: 'stacked_bar',
        sourceId: traces,
        select: [{ aggFn: 'count', where: checkouts }],
        groupBy: 'StatusCode',
      }),
      tile('Slowest checkouts (p99)', [12, 0, 12, 7], {
        displayType: 'line',
        sourceId: traces,
        select: [{ aggFn: 'quantile', level: 0.99, valueExpression: 'Duration', where: checkouts, alias: 'p99' }],
        numberFormat: nanoseconds,
      }),
      tile('Warnings and errors', [0, 7, 24, 7], {
        displayType: 'stacked_bar',
        sourceId: logs,
        select: [{ aggFn: 'count', where: `${shop} AND (SeverityText:"WARN" OR SeverityText:"ERROR")` }],
        groupBy: 'ServiceName',
      }),
    ],
  })
}

/** Checkouts count as slow earlier. */
export function stagingSearches(sources: readonly Source[]): SampleSearches {
  const { payments, checkouts } = sampleSearches(sources)
  return { payments, checkouts: { ...checkouts, where: checkouts.where.replace('>1000000000', '>500000000') } }
}

/** Without the one on orders; the one that cannot be evaluated groups by a column that exists. */
export function stagingAlerts(watched: Parameters<typeof sampleAlerts>[0]): SampleAlerts[keyof SampleAlerts][] {
  const { fired, invalid, silenced } = sampleAlerts(watched)
  const fixed = alertInputStrict.parse({ ...invalid, groupBy: 'ServiceName', threshold: 20, note: null })
  return [fired, fixed, silenced]
}

/** The name of the alert that is changed once the sample is there, and what it has then: its history begins with that. */
export const laterChange = { name: 'Sample: slow checkouts', threshold: 5 }

/** Port 9 (discard) of this machine, as that of the stack. */
export const stagingWebhook: WebhookInput = {
  name: 'Local example',
  service: 'generic',
  url: 'http://127.0.0.1:9/staging',
  description: 'An example. Nothing listens at this address.',
}
