/** What an alert watches, by name, for its notifications. */
import type { NotifiedAlert, Watched } from '#domain/alerting/notification/notified.ts'
import { dashboardRows, type StoredTile } from '../documents/dashboardRows.ts'
import { savedSearchRows } from '../documents/savedSearchRows.ts'
import type { Queries } from '../store/store.ts'

/** The names at the time of the notification: a deleted tile has its ID. */
export async function watchedOf(queries: Queries, alert: NotifiedAlert): Promise<Watched> {
  if (alert.source !== 'tile') return watchedSearch(queries, alert.savedSearchId ?? '')
  const dashboard = alert.dashboardId ? await dashboardRows.get(queries, alert.dashboardId) : undefined
  const tile = dashboard?.tiles.find(({ id }) => id === alert.tileId)
  const query = tile && queryOf(tile.config)
  return {
    name: tile?.name || (alert.tileId ?? 'Tile'),
    dashboard: dashboard?.name ?? 'deleted dashboard',
    ...(query && { query }),
  }
}

async function watchedSearch(queries: Queries, id: string): Promise<Watched> {
  const search = await savedSearchRows.get(queries, id)
  return { name: search?.name ?? 'deleted saved search', ...(search?.where && { query: search.where }) }
}

/** The SQL of a tile, or the conditions of its series. */
function queryOf(config: StoredTile['config']): string | undefined {
  if (!config) return undefined
  if ('sqlTemplate' in config && typeof config.sqlTemplate === 'string') return config.sqlTemplate
  if (!('select' in config) || !Array.isArray(config.select)) return undefined
  const conditions = config.select.flatMap(
    (series) => (typeof series === 'object' && 'where' in series && series.where) || [],
  )
  return [...new Set(conditions)].join(' OR ') || undefined
}
