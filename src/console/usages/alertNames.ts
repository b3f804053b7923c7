/** The names behind the IDs of an alert: dashboards, tiles, saved searches, webhooks. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOffer } from '../api/offers/offers.ts'
import { q } from '../api/queries.ts'
import { channelsOf, type Alert, type AlertChannel } from '#contract/stack/alerts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { dashboards, type Dashboard, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { savedSearches, type SavedSearch } from '#contract/stack/savedSearches.ts'
import { webhooks, type Webhook } from '#contract/stack/webhooks.ts'

export interface Names {
  dashboards: ReadonlyMap<string, Dashboard>
  /** Undefined if the deployment does not list them, or they are not loaded. */
  savedSearches: ReadonlyMap<string, SavedSearch> | undefined
  /** Undefined if the deployment does not list them. */
  webhooks: ReadonlyMap<string, Webhook> | undefined
}

/** The fields of an alert that its name is made of. */
type NamedAlert = Pick<Alert, 'name' | 'source' | 'dashboardId' | 'tileId' | 'savedSearchId'>

const byId = <T extends { id: string }>(records: readonly T[] | undefined) =>
  new Map((records ?? []).map((resource) => [resource.id, resource]))

/**
 * The names that are loaded: the ID stands for a name that is not.
 *
 * @param readSearches false where no alert of a saved search is shown: their names are used only if they are cached
 */
export function useNames(connection: Connection, readSearches = true): Names {
  const offered = useOffer(connection, 'webhooks', webhooks.list.variants).offered
  const searchesOffered = useOffer(connection, 'savedSearches', savedSearches.list.variants).offered
  const { data: boards } = useQuery(q(connection.id, dashboards.list, {}))
  const { data: hooks } = useQuery({ ...q(connection.id, webhooks.list, {}), enabled: offered })
  const { data: searches } = useQuery({
    ...q(connection.id, savedSearches.list, {}),
    enabled: searchesOffered && readSearches,
  })
  return useMemo(
    () => ({
      dashboards: byId(boards),
      savedSearches: searchesOffered && searches ? byId(searches) : undefined,
      webhooks: offered && hooks ? byId(hooks) : undefined,
    }),
    [boards, searches, searchesOffered, hooks, offered],
  )
}

/** The tile that an alert watches; undefined if it watches none, or the tile is not known. */
export function watchedTile({ source, dashboardId, tileId }: Alert, names: Names): Tile | undefined {
  if (source !== 'tile') return undefined
  return names.dashboards.get(dashboardId ?? '')?.tiles.find(({ id }) => id === tileId)
}

/** The subject of an alert: "Orders / Errors per minute", "Payment errors", or IDs where no name is known. */
export function formatAlertSubject(alert: NamedAlert, names: Names): string {
  if (alert.source === 'saved_search') return savedSearchName(alert.savedSearchId ?? '', names)
  if (!alert.dashboardId) return ''
  const board = names.dashboards.get(alert.dashboardId)
  if (!board) return [alert.dashboardId, alert.tileId].filter(Boolean).join(' / ')
  return `${board.name} / ${tileName(board, alert.tileId)}`
}

/** The name of a saved search; its ID where names are not known. */
export function savedSearchName(id: string, { savedSearches: known }: Names): string {
  if (!known) return `Saved search ${id}`.trim()
  const search = known.get(id)
  return search ? search.name || 'Untitled saved search' : 'deleted saved search'
}

export function tileName(board: Dashboard, tileId: string | null | undefined): string {
  const tile = board.tiles.find(({ id }) => id === tileId)
  if (!tile) return 'deleted tile'
  return tile.name || 'Untitled tile'
}

/** The name of an alert wherever it is shown: its own, or what it watches. */
export function alertName(alert: NamedAlert, names: Names): string {
  if (alert.name) return alert.name
  return alert.tileId || alert.savedSearchId ? `Alert on ${formatAlertSubject(alert, names)}` : 'Untitled alert'
}

/** The names of alerts on tiles of these dashboards. */
export function alertNamesOn(boards: readonly Dashboard[], alerts: readonly Alert[]): string[] {
  const names = { dashboards: byId(boards), savedSearches: undefined, webhooks: undefined }
  return alerts.map((alert) => alertName(alert, names))
}

/** The name of one alert, with the reads that it needs: none where it has a name of its own. */
export function useAlertName(connection: Connection, alert: NamedAlert | undefined): string {
  const isUnnamed = alert !== undefined && !alert.name
  const searchesOffered = useOffer(connection, 'savedSearches', savedSearches.list.variants).offered
  const { data: boards } = useQuery({
    ...q(connection.id, dashboards.list, {}),
    enabled: isUnnamed && Boolean(alert.dashboardId),
  })
  const { data: searches } = useQuery({
    ...q(connection.id, savedSearches.list, {}),
    enabled: isUnnamed && searchesOffered && alert.source === 'saved_search',
  })
  const names = { dashboards: byId(boards), savedSearches: searches && byId(searches), webhooks: undefined }
  return alert ? alertName(alert, names) : ''
}

export function formatChannel(channel: AlertChannel, names: Names): string {
  const { emailRecipients = [] } = channel
  if (channel.type === 'email' && emailRecipients.length > 0) return `email to ${emailRecipients.join(', ')}`
  if (channel.type !== 'webhook') return channel.type
  const { webhookId = '' } = channel
  return names.webhooks?.get(webhookId)?.name ?? webhookId
}

export function formatChannels(alert: Alert, names: Names): string {
  return channelsOf(alert)
    .map((channel) => formatChannel(channel, names))
    .join(', ')
}
