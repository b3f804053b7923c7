/** The query of an alert, from the dashboards or saved searches of its connection, or why there is none. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { SavedSearch } from '#contract/stack/savedSearches.ts'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'
import {
  savedSearchAlertQuery,
  tileAlertQuery,
  type AlertQuery,
  type AlertSeriesQuery,
} from '#domain/alerting/alertQuery.ts'
import { tileFormat } from '#domain/alerting/comparedUnit.ts'
import { ExecutionError } from '#domain/alerting/executionError.ts'
import type { Unit } from '#domain/charts/units.ts'
import { unavailable, type Unavailable } from './unavailable.ts'

/** The fields of an alert, or of its form, that say what it watches. */
export interface Watching {
  source: string
  dashboardId?: string | null | undefined
  tileId?: string | null | undefined
  savedSearchId?: string | null | undefined
  groupBy?: string | null | undefined
}

export interface WatchedQuery {
  kind: 'series'
  alertQuery: AlertSeriesQuery
}

/** Nothing was chosen yet. */
export interface NotChosen {
  kind: 'notChosen'
  /** The choice to make. */
  sentence: string
}

/** Whether a dashboard or saved search has to be read, and was chosen. */
export function watchedKind({ source, dashboardId, tileId, savedSearchId }: Watching): 'tile' | 'savedSearch' | null {
  if (source === 'tile') return dashboardId && tileId ? 'tile' : null
  return source === 'saved_search' && savedSearchId ? 'savedSearch' : null
}

export function watchedQuery(
  watching: Watching,
  records: { dashboards: readonly Dashboard[]; savedSearches: readonly SavedSearch[] },
): WatchedQuery | NotChosen | Unavailable {
  const kind = watchedKind(watching)
  if (kind === 'tile') return watchedTile(watching, records.dashboards)
  if (kind === 'savedSearch') return watchedSearch(watching, records.savedSearches)
  if (watching.source === 'tile') return { kind: 'notChosen', sentence: 'Choose a tile.' }
  if (watching.source === 'saved_search') return { kind: 'notChosen', sentence: 'Choose a saved search.' }
  return unavailable('source', `Queries of the kind ${watching.source} are not known.`)
}

/** The number format of the watched tile; undefined if it has none. */
export function watchedFormat(watching: Watching, dashboards: readonly Dashboard[]): Unit | undefined {
  if (watchedKind(watching) !== 'tile') return undefined
  const dashboard = dashboards.find(({ id }) => id === watching.dashboardId)
  return tileFormat(dashboard?.tiles.find(({ id }) => id === watching.tileId)?.config ?? {})
}

function watchedTile(watching: Watching, dashboards: readonly Dashboard[]): WatchedQuery | Unavailable {
  const dashboard = dashboards.find(({ id }) => id === watching.dashboardId)
  if (!dashboard) return unavailable('missing', 'The dashboard does not exist. It may have been deleted.')
  const tile = dashboard.tiles.find(({ id }) => id === watching.tileId)
  if (!tile) return unavailable('missing', 'The tile does not exist. It may have been deleted.')
  if (!tile.config) return unavailable('tile', 'This API does not return the configuration of the tile.')
  const { configType } = tile.config
  const config = tileConfigStrict.safeParse({
    ...tile.config,
    configType: configType === 'builder' ? undefined : configType,
  })
  if (!config.success) return unavailable('tile', 'The configuration of the tile has fields that are not known here.')
  return seriesOnly(() => tileAlertQuery(config.data))
}

function watchedSearch(watching: Watching, searches: readonly SavedSearch[]): WatchedQuery | Unavailable {
  const search = searches.find(({ id }) => id === watching.savedSearchId)
  if (!search) return unavailable('missing', 'The saved search does not exist. It may have been deleted.')
  const { sourceId, where, whereLanguage, filters } = search
  // Some deployments return only id, name and source: without the condition, a count would be wrong.
  if (where === undefined) return unavailable('missing', 'This API does not return the condition of the saved search.')
  const counted = {
    sourceId,
    where: where ?? '',
    whereLanguage: whereLanguage === 'lucene' ? ('lucene' as const) : ('sql' as const),
    filters: (filters ?? []).map(({ type, condition = '' }) =>
      type === 'sql_ast'
        ? { type: 'sql_ast' as const }
        : { type: type === 'lucene' ? ('lucene' as const) : ('sql' as const), condition },
    ),
  }
  return seriesOnly(() => savedSearchAlertQuery(counted, watching.groupBy ?? undefined))
}

function seriesOnly(query: () => AlertQuery): WatchedQuery | Unavailable {
  try {
    const alertQuery = query()
    if (alertQuery.kind === 'series') return { kind: 'series', alertQuery }
    return unavailable('sql', 'The tile has Raw SQL, and the API has no SQL queries.')
  } catch (error) {
    if (error instanceof ExecutionError) return unavailable('tile', error.message)
    throw error
  }
}
