/** The subject of an alert, by name, as notifications show it. A deleted tile has its ID. */
import type { Watched } from './notified.ts'

/** The parts of a dashboard that notifications name. */
interface NamedDashboard {
  name: string
  tiles: readonly { id?: string | undefined; name?: string | undefined; config?: object | undefined }[]
}

export function watchedTileNames(dashboard: NamedDashboard | undefined, tileId: string | null | undefined): Watched {
  const tile = dashboard?.tiles.find(({ id }) => id === tileId)
  const query = tile?.config && queryOf(tile.config)
  return {
    name: tile?.name || (tileId ?? 'Tile'),
    dashboard: dashboard?.name ?? 'deleted dashboard',
    ...(query && { query }),
  }
}

export function watchedSearchNames(search: { name: string; where?: string | null | undefined } | undefined): Watched {
  return { name: search?.name ?? 'deleted saved search', ...(search?.where && { query: search.where }) }
}

/** The SQL of a tile, or the conditions of its series. */
function queryOf(config: object): string | undefined {
  if ('sqlTemplate' in config && typeof config.sqlTemplate === 'string') return config.sqlTemplate
  if (!('select' in config) || !Array.isArray(config.select)) return undefined
  const conditions = config.select.flatMap((series: unknown) =>
    typeof series === 'object' && series && 'where' in series && typeof series.where === 'string' ? series.where : [],
  )
  return [...new Set(conditions)].filter(Boolean).join(' OR ') || undefined
}
