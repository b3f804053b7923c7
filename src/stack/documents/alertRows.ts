/** The stored alerts. */
import { collection, documentsOf } from '../store/collection.ts'
import { inChunks, placeholders } from '../store/manyRows.ts'
import type { Limit } from '../store/requireRoom.ts'
import type { Queries } from '../store/store.ts'
import type { AlertDocument } from './alertDocument.ts'

export const alertRows = collection<AlertDocument>('alerts', {
  columns: (alert) => ({
    dashboard_id: alert.dashboardId ?? null,
    tile_id: alert.tileId ?? null,
    saved_search_id: alert.savedSearchId ?? null,
    webhook_id: alert.channel.webhookId ?? null,
  }),
})

export const alertLimit: Limit = {
  rows: alertRows,
  most: 10_000,
  owner: 'A stack',
  records: 'alerts',
  remedy: 'Delete one first',
}

/** The alerts with these ids, as far as they exist and can be read. */
export async function alertsById(queries: Queries, ids: readonly string[]): Promise<Map<string, AlertDocument>> {
  const found = await inChunks(ids, (some) =>
    queries.rows(`SELECT id, document FROM alerts WHERE id IN (${placeholders(some.length)})`, some),
  )
  const alerts = documentsOf<AlertDocument>('alerts', found.flat())
  return new Map(alerts.map((alert) => [alert.id, alert]))
}

/** The alerts on a saved search, oldest first, without damaged ones. */
export async function alertsOnSearch(queries: Queries, savedSearchId: string): Promise<AlertDocument[]> {
  const found = await queries.rows('SELECT id, document FROM alerts WHERE saved_search_id = ? ORDER BY seq', [
    savedSearchId,
  ])
  return documentsOf<AlertDocument>('alerts', found)
}

/** Stores who created an alert. Responses do not have it. */
export async function setAuthor(queries: Queries, alertId: string, memberId: string): Promise<void> {
  await queries.run('UPDATE alerts SET created_by = ? WHERE id = ?', [memberId, alertId])
}
