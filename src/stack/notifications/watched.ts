/** The subject of an alert, by name, for its notifications. */
import type { NotifiedAlert, Watched } from '#domain/alerting/notification/notified.ts'
import { watchedSearchNames, watchedTileNames } from '#domain/alerting/notification/watchedNames.ts'
import { undefinedIfDamaged } from '#node/database/damagedRows.ts'
import { dashboardRows } from '../documents/dashboardRows.ts'
import { savedSearchRows } from '../documents/savedSearchRows.ts'
import type { Queries } from '../store/store.ts'

/** The names at the time of the notification; without those of a record that is damaged. */
export async function watchedOf(queries: Queries, alert: NotifiedAlert): Promise<Watched> {
  const { source, dashboardId, tileId, savedSearchId } = alert
  if (source !== 'tile')
    return watchedSearchNames(await savedSearchRows.get(queries, savedSearchId ?? '').catch(undefinedIfDamaged))
  const dashboard = dashboardId ? await dashboardRows.get(queries, dashboardId).catch(undefinedIfDamaged) : undefined
  return watchedTileNames(dashboard, tileId)
}
