/** Which alerts are due, and their queries. */
import type { ClockGap } from '#node/clock/wallClock.ts'
import { dueWindows, windowLength, windowPhase, type AlertWindow } from '#domain/alerting/schedule.ts'
import { thresholdProblem } from '#domain/alerting/threshold.ts'
import type { AlertCursor } from '../documents/alertCursors.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import type { Queries } from '../store/store.ts'
import { invalidAlert, type ExecutionError } from '#domain/alerting/executionError.ts'
import { executionErrorOf } from './reading/executionError.ts'
import type { CatchUpLimits } from './catchUpLimits.ts'
import type { WindowQuery } from './reading/scan.ts'
import { watchedQuery, watchedRecords } from './reading/watchedQuery.ts'

/** An alert as it was when the pass began. */
export interface DueAlert {
  alert: AlertDocument
  /** End of the last evaluated window. */
  done: number | null
  /** The windows to evaluate, oldest first. */
  windows: readonly AlertWindow[]
  /** The windows that are not evaluated because the clock changed in them. If there are any, `windows` come later. */
  uncertain: readonly AlertWindow[]
  /** Windows that come after these. */
  hasMore: boolean
  /** Earlier windows will never be evaluated. */
  lost: boolean
}

export interface DueAlerts {
  /** To be read. */
  windowQueries: (WindowQuery & { waiting: DueAlert })[]
  /** Cannot be evaluated. */
  invalid: { due: DueAlert; error: ExecutionError }[]
  /** Nothing is read: they have groups that were silenced, or windows that are not evaluated. */
  unread: DueAlert[]
}

export async function dueAlerts(
  queries: Queries,
  alerts: readonly AlertDocument[],
  cursors: ReadonlyMap<string, AlertCursor>,
  { now, gaps, catchUpLimits }: { now: number; gaps: readonly ClockGap[]; catchUpLimits: CatchUpLimits },
): Promise<DueAlerts> {
  const found: DueAlerts = { windowQueries: [], invalid: [], unread: [] }
  const records = watchedRecords(queries)
  for (const alert of alerts) {
    if (alert.paused) continue
    const cursor = cursors.get(alert.id)
    const done = cursor?.done ?? null
    const due: DueAlert = { alert, done, ...dueWindows(alert, now, done, gaps) }
    if (due.windows.length === 0) {
      if (due.uncertain.length > 0 || cursor?.groups.some(({ muted }) => muted)) found.unread.push(due)
      continue
    }
    try {
      checkRule(alert)
      const alertQuery = await watchedQuery(alert, records)
      const windows = catchUpLimits.limit(alert.id, due.windows)
      const span = { windows, interval: alert.interval, phase: windowPhase(alert) }
      found.windowQueries.push({ alertQuery, span, waiting: due })
    } catch (error) {
      found.invalid.push({ due, error: executionErrorOf(error, 0) })
    }
  }
  return found
}

/** Why an alert cannot be evaluated, whatever it watches. @throws ExecutionError */
export function checkRule(alert: AlertDocument): void {
  const problem = thresholdProblem(alert)
  if (problem) throw invalidAlert(problem)
  if (windowLength(alert) === null) throw invalidAlert(`The interval ${alert.interval} is not known.`)
}
