/** Sends the queries of a dashboard's first tiles while its page is still loading. */
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { offeredSources } from '#console/charting/sources/sourcesQuery.ts'
import { mapsIn } from '#console/charting/chartRequest.ts'
import { asSqlFor } from '#console/charting/search/conditionAsSql.ts'
import { clampPosition } from '#domain/dashboards/gridPositions.ts'
import { planTile } from '#console/charting/tiles/tileQuery.ts'
import { charts } from '#contract/stack/charts.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { sectionsOf } from '#domain/dashboards/sections.ts'
import { conditionsOf, requiredValues, variablesOf } from './scope.ts'
import { rowHeight, stackBelow } from './TileGrid.tsx'
import { tileQueryOptions } from './tiles/useTileData.ts'
import { viewSpan, type ViewState } from './viewState.ts'

/** When the tiles of a dashboard were prefetched, by its ID. The entry is removed once the page is shown. */
const prefetched = new Map<string, number>()
/** Milliseconds after which a page that was never shown is forgotten. */
const validMs = 30_000

/**
 * The time, in epoch milliseconds, that a page which opens takes for now in ranges such as "last hour". It is the time of the
 * prefetch, if there was one, so that the page has the same queries and finds their results.
 */
export function openingTime(dashboardId: string): number {
  const now = Date.now()
  const time = prefetched.get(dashboardId)
  return time !== undefined && now - time < validMs ? time : now
}

/** Called once the page is shown: its next opening takes the time of that opening. */
export function forgetOpeningTime(dashboardId: string): void {
  prefetched.delete(dashboardId)
}

/**
 * Queries the tiles that a window as high as this one shows first. Dashboards with groups of tiles, and narrow windows,
 * which stack their tiles, are left to the page.
 */
export async function prefetchTiles(connectionId: string, dashboardId: string, state: ViewState): Promise<void> {
  if (state.edit || innerWidth < stackBelow) return
  const now = Date.now()
  prefetched.set(dashboardId, now)
  const [dashboard, found] = await Promise.all([
    queryClient.fetchQuery({ ...q(connectionId, dashboards.get, { params: { dashboardId } }), staleTime: 60_000 }),
    offeredSources(connectionId, 'charts', charts.query),
  ])
  if (!found) return
  if (sectionsOf(dashboard).some(({ container }) => container)) return
  const known = new Set(found.map(({ id }) => id))
  const scope = {
    span: viewSpan(state, now).span,
    granularity: state.granularity,
    zone: state.tz,
    conditions: conditionsOf(dashboard, state),
    required: requiredValues(dashboard, state),
    variables: variablesOf(dashboard, state),
    sourceId: (id: string) => (known.has(id) ? id : null),
    toSql: asSqlFor(found),
    mapsOf: mapsIn(found),
  }
  const rowsInSight = Math.ceil(innerHeight / rowHeight)
  for (const tile of dashboard.tiles) {
    const plan = clampPosition(tile).y < rowsInSight ? planTile(tile.config, scope) : null
    // Rows are read by their own tiles.
    if (plan?.kind === 'query' && !plan.rows)
      void queryClient.prefetchQuery(tileQueryOptions(connectionId, plan, found))
  }
}
