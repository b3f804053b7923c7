/** How far each alert is evaluated, and what its evaluation remembers of groups. */
import { currentTime } from '#node/clock/wallClock.ts'
import { newestEnd, type Schedule } from '#domain/alerting/schedule.ts'
import { groupsAfterClockSetBack, stateOfGroups, type GroupState } from '#domain/alerting/groupState.ts'
import { readRow, tolerant } from '#node/database/damagedRows.ts'
import { inChunks, placeholders, upsertRows } from '../store/manyRows.ts'
import type { Row } from '#node/database/statements.ts'
import type { Queries } from '../store/store.ts'

export interface AlertCursor {
  alertId: string
  /** End of the last evaluated window, epoch milliseconds; null if none was, or none since the alert was resumed. */
  done: number | null
  groups: readonly GroupState[]
  /** How often the clock was set back over windows that had been evaluated. */
  setBacks: number
}

/** All cursors, or those of some alerts, by alert. */
export async function alertCursors(queries: Queries, ids?: readonly string[]): Promise<Map<string, AlertCursor>> {
  const all = 'SELECT alert_id, done, group_states, set_backs FROM alert_cursors'
  const rows = ids
    ? (
        await inChunks(ids, (some) => queries.rows(`${all} WHERE alert_id IN (${placeholders(some.length)})`, some))
      ).flat()
    : await queries.rows(all)
  return new Map(rows.map(cursorOf).map((cursor) => [cursor.alertId, cursor]))
}

/** If the stored state of groups is damaged, the alert goes on as if no group fired. */
function cursorOf(row: Row): AlertCursor {
  const alertId = String(row['alert_id'])
  return {
    alertId,
    done: row['done'] === null ? null : Number(row['done']),
    groups: tolerant(() => readRow('alert_cursors', alertId, () => groupsOf(row))) ?? [],
    setBacks: Number(row['set_backs']),
  }
}

function groupsOf(row: Row): GroupState[] {
  const groups: unknown = JSON.parse(String(row['group_states']))
  if (!Array.isArray(groups)) throw new TypeError('The states of groups are no list.')
  return groups as GroupState[] // `writeCursors` wrote it
}

export function writeCursors(queries: Queries, cursors: readonly AlertCursor[]): Promise<void> {
  return upsertRows(
    queries,
    { table: 'alert_cursors', columns: ['alert_id', 'done', 'muted', 'group_states', 'set_backs'], key: ['alert_id'] },
    cursors.map(({ alertId, done, groups, setBacks }) => [
      alertId,
      done,
      groups.some(({ muted }) => muted) ? 1 : 0,
      JSON.stringify(groups),
      setBacks,
    ]),
  )
}

/** Whether an alert has been evaluated beyond a time. */
export async function hasCursorsAfter(queries: Pick<Queries, 'rows'>, time: number): Promise<boolean> {
  return (await queries.rows('SELECT 1 FROM alert_cursors WHERE done > ? LIMIT 1', [time])).length > 0
}

/**
 * Sets back the cursors that lie ahead of the time, because the clock was set back, now or before the stack started. Their
 * alerts continue with the next window. Evaluations of windows that have not ended yet by the new time are removed: they are
 * evaluated again.
 *
 * @param limit cursors up to this time stay: a little later than `now`
 * @returns the number of alerts that continue at an earlier time
 */
export async function setBackCursors(
  queries: Queries,
  alerts: readonly (Schedule & { id: string })[],
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const cursors = await alertCursors(queries)
  const moved = alerts.flatMap((alert) => {
    const cursor = cursors.get(alert.id)
    if (cursor?.done == null || cursor.done <= limit) return []
    const done = newestEnd(alert, now)
    return [
      { ...cursor, done, groups: groupsAfterClockSetBack(cursor.groups, done ?? now), setBacks: cursor.setBacks + 1 },
    ]
  })
  if (moved.length === 0) return 0
  await writeCursors(queries, moved)
  await queries.run('DELETE FROM alert_evaluations WHERE ended > ?', [limit])
  return moved.length
}

/** A resumed alert continues with the newest window, unless that was evaluated before the pause. @returns its state */
export async function resumeEvaluation(
  queries: Queries,
  alert: Schedule & { id: string },
  now = currentTime(),
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
