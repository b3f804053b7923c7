/** Where sources and webhooks are used. The API has no such list, and deletes leave dangling ids. */
import { channelsOf, type Alert } from '#contract/stack/alerts.ts'
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Webhook } from '#contract/stack/webhooks.ts'

/** One place that names a source. */
interface SourceUse {
  sourceId: string
  dashboard: Dashboard
  /** `tile “Errors”`, `filter “Service”`. */
  place: string
  /** Where the place is a tile. */
  tileId?: string | undefined
}

/** Every place of a dashboard that names a source: tiles, their links, and filters. */
export function sourceUses(dashboard: Dashboard): SourceUse[] {
  const tiles = dashboard.tiles.flatMap((tile) =>
    idsOf(tile).map((sourceId) => ({
      sourceId,
      dashboard,
      place: `tile “${tile.name || 'Untitled'}”`,
      tileId: tile.id,
    })),
  )
  const filters = dashboard.filters.flatMap((filter) => {
    const scope = Array.isArray(filter['appliesToSourceIds']) ? filter['appliesToSourceIds'] : []
    return texts([filter['sourceId'], ...scope]).map((sourceId) => ({
      sourceId,
      dashboard,
      place: `filter “${filter.name || 'Untitled'}”`,
    }))
  })
  return [...tiles, ...filters]
}

function idsOf({ config }: Tile): string[] {
  const click = asRecord(config?.['onClick'])
  const target = asRecord(click?.['target'])
  const linked = click?.['type'] === 'search' && target?.['mode'] === 'id' ? target['id'] : undefined
  return texts([config?.sourceId, linked])
}

/** Filled texts, each once. */
const texts = (values: readonly unknown[]) => [
  ...new Set(values.filter((value): value is string => typeof value === 'string' && value !== '')),
]

function asRecord(value: unknown): Record<string, unknown> | undefined {
  // An object's keys are strings; its values are whatever they are.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

const correlatedFields = ['logSourceId', 'traceSourceId', 'metricSourceId', 'sessionSourceId'] as const

/** The other sources that a source names. */
function correlatedIds(source: Source): string[] {
  return texts(correlatedFields.map((field) => source[field])).filter((id) => id !== source.id)
}

export interface SourceUsers {
  uses: SourceUse[]
  /** Alerts on tiles that draw from it. */
  alerts: Alert[]
  /** Sources that name it as the one with their logs, traces, metrics or sessions. */
  sources: Source[]
}

/** Everything that uses the source. */
export function sourceUsers(
  id: string,
  all: { dashboards: readonly Dashboard[]; alerts: readonly Alert[]; sources: readonly Source[] },
): SourceUsers {
  const uses = all.dashboards.flatMap(sourceUses).filter((use) => use.sourceId === id)
  const watched = new Set(uses.map((use) => `${use.dashboard.id}/${use.tileId}`))
  return {
    uses,
    alerts: all.alerts.filter((alert) => alert.tileId && watched.has(`${alert.dashboardId}/${alert.tileId}`)),
    sources: all.sources.filter((source) => correlatedIds(source).includes(id)),
  }
}

/** Places that use a source that does not exist. */
export function danglingUses(dashboards: readonly Dashboard[], sources: readonly Source[]): SourceUse[] {
  const known = new Set(sources.map((source) => source.id))
  return dashboards.flatMap(sourceUses).filter((use) => !known.has(use.sourceId))
}

export interface WebhookUse {
  alert: Alert
  /** Deployments do not delete a webhook that is the first channel of an alert; further channels are ignored. */
  guarded: boolean
}

export function webhookUses(id: string, alerts: readonly Alert[]): WebhookUse[] {
  return alerts.flatMap((alert) => {
    const at = channelsOf(alert).findIndex((channel) => channel.webhookId === id)
    return at < 0 ? [] : [{ alert, guarded: (alert.channel?.webhookId ?? channelsOf(alert)[0]?.webhookId) === id }]
  })
}

/** Alerts with a channel whose webhook does not exist: nobody is notified through it. */
export function alertsWithoutWebhook(alerts: readonly Alert[], webhooks: readonly Webhook[]): Alert[] {
  const known = new Set(webhooks.map((webhook) => webhook.id))
  return alerts.filter((alert) =>
    channelsOf(alert).some(({ type, webhookId }) => type === 'webhook' && webhookId && !known.has(webhookId)),
  )
}
