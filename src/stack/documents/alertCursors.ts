/** How far each alert is evaluated, and what its evaluation remembers of groups. */
import { newestEnd, type Schedule } from '#domain/alerting/schedule.ts'
import { stateOfGroups, type GroupState } from '#domain/alerting/groupState.ts'
import { inChunks, placeholders, upsertRows } from '../store/manyRows.ts'
import type { Row } from '../store/backend.ts'
import type { Queries } from '../store/store.ts'

export interface AlertCursor {
  alertId: string
  /** End of the last evaluated window, epoch milliseconds; null if none was, or none since the alert was resumed. */
  done: number | null
  groups: readonly GroupState[]
}

/** All cursors, or those of some alerts, by alert. */
export async function alertCursors(queries: Queries, ids?: readonly string[]): Promise<Map<string, AlertCursor>> {
  const all = 'SELECT alert_id, done, group_states FROM alert_cursors'
  const rows = ids
    ? (
        await inChunks(ids, (some) => queries.rows(`${all} WHERE alert_id IN (${placeholders(some.length)})`, some))
      ).flat()
    : await queries.rows(all)
  return new Map(rows.map(cursorOf).map((cursor) => [cursor.alertId, cursor]))
}

function cursorOf(row: Row): AlertCursor {
  return {
    alertId: String(row['alert_id']),
    done: row['done'] === null ? null : Number(row['done']),
    groups: JSON.parse(String(row['group_states'])) as GroupState[], // `writeCursors` wrote it
  }
}

export function writeCursors(queries: Queries, cursors: readonly AlertCursor[]): Promise<void> {
  return upsertRows(
    queries,
    { table: 'alert_cursors', columns: ['alert_id', 'done', 'muted', 'group_states'], key: ['alert_id'] },
    cursors.map(({ alertId, done, groups }) => [
      alertId,
      done,
      groups.some(({ muted }) => muted) ? 1 : 0,
      JSON.stringify(groups),
    ]),
  )
}

/** A resumed alert continues with the newest window, unless that was evaluated before the pause. @returns its state */
export async function resumeEvaluation(
  queries: Queries,
  alert: Schedule & { id: string },
  now = Date.now(),
): Promise<string> {
  const cursor = (await alertCursors(queries, [alert.id])).get(alert.id)
  if (!cursor) return 'OK'
  const newest = newestEnd(alert, now)
  const isEvaluated = cursor.done !== null && newest !== null && cursor.done >= newest
  if (!isEvaluated) await writeCursors(queries, [{ ...cursor, done: null }])
  return stateOfGroups(cursor.groups)
}

/** Removes what is remembered of alerts that were deleted. */
export async function forgetDeletedAlerts(queries: Queries): Promise<void> {
  await queries.run('DELETE FROM alert_cursors WHERE alert_id NOT IN (SELECT id FROM alerts)')
}
