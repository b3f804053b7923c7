/** The saved searches and alerts of the sample: one alert for each state that a newcomer should have seen. */
import type { z } from 'zod'
import { alertInputStrict } from '#contract/stack/alerts.ts'
import { savedSearchInputStrict } from '#contract/stack/savedSearches.ts'
import type { Source } from '#contract/stack/sources.ts'
import { sourceIds } from './dashboardTiles.ts'
import { sampleTiles } from './sampleDashboard.ts'

const shop = 'ResourceAttributes.telemetry.sample:"true"'

export type SampleSearches = Record<'payments' | 'checkouts', z.output<typeof savedSearchInputStrict>>

export function sampleSearches(sources: readonly Source[]): SampleSearches {
  const { logs, traces } = sourceIds(sources)
  return {
    payments: savedSearchInputStrict.parse({
      name: 'Payment provider errors',
      sourceId: logs,
      where: `${shop} AND "payment provider" AND SeverityText:"ERROR"`,
      select: 'Timestamp, ServiceName, SeverityText, Body',
      tags: ['sample'],
    }),
    checkouts: savedSearchInputStrict.parse({
      name: 'Slow checkouts',
      sourceId: traces,
      where: `${shop} AND SpanName:"POST /checkout" AND SpanKind:"Server" AND Duration:>1000000000`,
      select: 'Timestamp, ServiceName, SpanName, Duration, StatusCode',
      tags: ['sample'],
    }),
  }
}

/** The records that the alerts refer to, as it is stored. */
interface Watched {
  dashboard: { id: string; tiles: readonly { id: string; name: string }[] }
  searches: { payments: { id: string }; checkouts: { id: string } }
  webhookId: string
}

type AlertInput = z.output<typeof alertInputStrict>

export interface SampleAlerts {
  /** Fired in the incident. Its history is computed from the sample. */
  fired: AlertInput
  /** Never fires within a week, because it needs a week without orders. */
  pending: AlertInput
  /** Cannot be evaluated: it groups by a column that does not exist. */
  invalid: AlertInput
  silenced: AlertInput
}

export function sampleAlerts({ dashboard, searches, webhookId }: Watched): SampleAlerts {
  const channels = [{ type: 'webhook', webhookId }]
  const onTile = (name: string) => ({
    source: 'tile',
    dashboardId: dashboard.id,
    tileId: dashboard.tiles.find((tile) => tile.name === name)?.id,
  })
  return {
    fired: paymentsAlert(searches.payments.id, webhookId),
    pending: alertInputStrict.parse({
      name: 'Sample: no orders for a week',
      message: 'Nobody has ordered anything for a week.',
      ...onTile(sampleTiles.orders),
      interval: '1m',
      threshold: 1,
      thresholdType: 'below',
      numConsecutiveWindows: 7 * 24 * 60,
      channels,
    }),
    invalid: alertInputStrict.parse({
      name: 'Sample: payment errors by region',
      note: 'This alert has an error: the column Region does not exist. ServiceName does.',
      source: 'saved_search',
      savedSearchId: searches.payments.id,
      groupBy: 'Region',
      interval: '5m',
      threshold: 5,
      thresholdType: 'above',
      channels,
    }),
    silenced: alertInputStrict.parse({
      name: 'Sample: slow checkouts',
      source: 'saved_search',
      savedSearchId: searches.checkouts.id,
      interval: '15m',
      threshold: 20,
      thresholdType: 'above',
      channels,
    }),
  }
}

/** The alert that fires in the incident. */
export function paymentsAlert(savedSearchId: string, webhookId: string): AlertInput {
  return alertInputStrict.parse({
    name: 'Sample: payments fail',
    message: 'Customers cannot pay. Check the connection pool of shop-payment first.',
    source: 'saved_search',
    savedSearchId,
    groupBy: 'ServiceName',
    interval: '15m',
    threshold: 1,
    thresholdType: 'above',
    channels: [{ type: 'webhook', webhookId }],
  })
}
