/** The query of an alert, from the stored tile or saved search that it watches. */
import { savedSearchAlertQuery, tileAlertQuery, type AlertQuery } from '#domain/alerting/alertQuery.ts'
import { invalidAlert } from '#domain/alerting/executionError.ts'
import type { AlertDocument } from '../../documents/alertDocument.ts'
import { dashboardRows, type DashboardDocument } from '../../documents/dashboardRows.ts'
import { savedSearchRows } from '../../documents/savedSearchRows.ts'
import type { Queries } from '../../store/store.ts'

export interface WatchedRecords {
  dashboard(id: string): Promise<DashboardDocument | undefined>
  queries: Queries
}

/** Reads each dashboard once. */
export function watchedRecords(queries: Queries): WatchedRecords {
  const dashboards = new Map<string, Promise<DashboardDocument | undefined>>()
  return {
    queries,
    dashboard(id) {
      const known = dashboards.get(id) ?? dashboardRows.get(queries, id)
      dashboards.set(id, known)
      return known
    },
  }
}

type Watching = Pick<AlertDocument, 'source' | 'dashboardId' | 'tileId' | 'savedSearchId' | 'groupBy'>

/** @throws ExecutionError if the tile or saved search does not exist, or alerts cannot watch it */
export async function watchedQuery(alert: Watching, records: WatchedRecords): Promise<AlertQuery> {
  if (alert.source !== 'tile') {
    const search = await savedSearchRows.get(records.queries, alert.savedSearchId ?? '')
    if (!search) throw invalidAlert('The saved search of this alert does not exist. It may have been deleted.')
    return savedSearchAlertQuery(search, alert.groupBy)
  }
  return tileAlertQuery((await watchedTile(alert, records)).config)
}

/** The tile of an alert that watches one. @throws ExecutionError if it does not exist */
export async function watchedTile(
  alert: Pick<Watching, 'dashboardId' | 'tileId'>,
  records: WatchedRecords,
): Promise<DashboardDocument['tiles'][number]> {
  const dashboard = await records.dashboard(alert.dashboardId ?? '')
  if (!dashboard) throw invalidAlert('The dashboard of this alert does not exist. It may have been deleted.')
  const tile = dashboard.tiles.find(({ id }) => id === alert.tileId)
  if (!tile) throw invalidAlert('The tile of this alert does not exist. It may have been deleted.')
  return tile
}
