/** The evaluated windows of alerts, as they are stored and returned: docs/DEPLOYMENTS.md#alert-evaluation. */
import type { z } from 'zod'
import type { AlertEvaluation, evaluationsQuery, historyQuery } from '#contract/stack/alertHistory.ts'
import type { Evaluation } from '#domain/alerting/evaluation.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { readableRows } from '#node/database/damagedRows.ts'
import type { Row, Value } from '#node/database/statements.ts'
import { upsertRows } from '../store/manyRows.ts'
import type { Queries } from '../store/store.ts'

/** A type alias, because an interface does not fit the loose schemas of the contract. */
type ExecutionError = {
  type: string
  message: string
}

/** An evaluated window of one alert. */
export interface StoredEvaluation extends Evaluation {
  alertId: string
  /** Why the window could not be read. */
  errors?: readonly ExecutionError[]
  analytics?: { queryDurationMs: number; backfilledBuckets?: number }
}

type Detail = Pick<StoredEvaluation, 'groups' | 'groupsTotal' | 'silenced' | 'errors' | 'analytics'>

const day = 86_400_000
const keptFor = 30 * day
/** The longest range of one request. */
const maxSpan = 31 * day

/** The columns that identify a row. */
const evaluationKey = ['alert_id', 'ended']

const columns = ['alert_id', 'ended', 'started', 'state', 'counts', 'value', 'no_rows', 'detail']

/** A window that was evaluated before, because it could not be read then, is replaced. */
export function writeEvaluations(queries: Queries, evaluations: readonly StoredEvaluation[]): Promise<void> {
  return upsertRows(
    queries,
    { table: 'alert_evaluations', columns, key: evaluationKey },
    evaluations.map(({ alertId, end, start, state, counts, value, noRows, ...detail }): Value[] => [
      alertId,
      end,
      start,
      state,
      counts,
      value,
      noRows ? 1 : 0,
      Object.values(detail).some((value) => value !== undefined) ? JSON.stringify(detail) : null,
    ]),
  )
}

export async function deleteOldEvaluations(queries: Queries, now: number): Promise<void> {
  await queries.run('DELETE FROM alert_evaluations WHERE ended < ?', [now - keptFor])
}

/** A page of evaluations, newest first. */
export async function evaluationsOf(queries: Queries, alertId: string, query: z.output<typeof evaluationsQuery>) {
  const { limit, before = Infinity, startTime = 0, endTime = Number.MAX_SAFE_INTEGER } = query
  const last = Math.min(endTime, before - 1)
  const rows = await queries.rows(
    `SELECT ${columns.join(', ')} FROM alert_evaluations
     WHERE alert_id = ? AND ended >= ? AND ended <= ? ORDER BY ended DESC LIMIT ?`,
    [alertId, startTime, last, limit + 1],
  )
  const items = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const oldest = items.at(-1)?.['ended']
  return {
    items: readableRows('alert_evaluations', items, evaluationKey, answerOf),
    hasMore,
    ...(hasMore && { nextBefore: Number(oldest) }),
  }
}

function answerOf(row: Row): AlertEvaluation {
  const detail = row['detail'] == null ? {} : (JSON.parse(String(row['detail'])) as Detail) // `writeEvaluations` wrote it
  const { groups, groupsTotal, silenced, errors, analytics } = detail
  const startTime = isoOf(row['started'])
  const value = row['value'] == null ? null : Number(row['value'])
  return {
    createdAt: isoOf(row['ended']),
    state: String(row['state']),
    counts: Number(row['counts']),
    lastValues: value === null ? [] : [{ startTime, count: value }],
    noRows: Number(row['no_rows']) === 1,
    ...(errors && { errors: [...errors] }),
    ...(analytics && { analytics }),
    ...(groups && {
      groups: groups.map(({ key, state, value, noRows }) => ({
        group: key,
        state,
        counts: state === 'OK' ? 0 : 1,
        lastValue: value,
        fired: state === 'ALERT',
        noRows,
      })),
    }),
    ...(groupsTotal !== undefined && { groupsTotal }),
    ...(silenced && { silenced }),
  }
}

/** When the alert began and ceased to fire, oldest first. One that fires at the start of the range begins there. */
export async function crossingsOf(queries: Queries, alertId: string, query: z.output<typeof historyQuery>) {
  const endTime = query.endTime ?? currentTime()
  const startTime = Math.max(query.startTime ?? 0, endTime - maxSpan)
  // Windows that could not be read say nothing about the state.
  const known = `alert_id = ? AND state <> 'INSUFFICIENT_DATA'`
  const [earlier] = await queries.rows(
    `SELECT state FROM alert_evaluations WHERE ${known} AND ended < ? ORDER BY ended DESC LIMIT 1`,
    [alertId, startTime],
  )
  const firesBefore = earlier?.['state'] === 'ALERT'
  const rows = await queries.rows(
    `SELECT ended, started, firing FROM (
       SELECT ended, started, firing, lag(firing) OVER (ORDER BY ended) AS previous FROM (
         SELECT ended, started, CASE WHEN state = 'ALERT' THEN 1 ELSE 0 END AS firing
         FROM alert_evaluations WHERE ${known} AND ended >= ? AND ended <= ?
       ) AS windows
     ) AS changes WHERE firing <> coalesce(previous, ?) ORDER BY ended`,
    [alertId, startTime, endTime, firesBefore ? 1 : 0],
  )
  const crossings = rows.map((row) => ({
    createdAt: isoOf(row['ended']),
    state: Number(row['firing']) === 1 ? 'ALERT' : 'OK',
    bucketStart: isoOf(row['started']),
  }))
  if (!firesBefore) return crossings
  return [{ createdAt: isoOf(startTime), state: 'ALERT', bucketStart: isoOf(startTime) }, ...crossings]
}

function isoOf(milliseconds: unknown): string {
  return new Date(Number(milliseconds)).toISOString()
}
