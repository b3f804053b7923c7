/** Which alerts are due, their queries, and how many missed windows are read at once. */
import type { ClockGap } from '#node/clock/wallClock.ts'
import { dueWindows, windowLength, windowPhase, type AlertWindow } from '#domain/alerting/schedule.ts'
import { thresholdProblem } from '#domain/alerting/threshold.ts'
import type { AlertCursor } from '../documents/alertCursors.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import type { Queries } from '../store/store.ts'
import { invalidAlert, type ExecutionError } from '#domain/alerting/executionError.ts'
import { executionErrorOf } from './reading/executionError.ts'
import type { WindowQuery } from './reading/scan.ts'
import { watchedQuery, watchedRecords } from './reading/watchedQuery.ts'
import type { Answer } from './reading/reader.ts'

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

/**
 * How many missed windows of an alert are read at once. What is too much for one statement, after a pause of the evaluator,
 * is read in smaller parts, oldest first, so that it always ends.
 */
export class CatchUpLimits {
  /** By alert. Alerts that are not in it are read at once. */
  readonly #most = new Map<string, number>()

  /** The windows to read now. */
  limit(alertId: string, windows: readonly AlertWindow[]): readonly AlertWindow[] {
    return windows.slice(0, this.#most.get(alertId))
  }

  /** Learns from an answer to so many windows. */
  learn(alertId: string, windows: number, answer: Answer): void {
    if ('error' in answer) {
      if (answer.tooMuch && windows > 1) this.#most.set(alertId, Math.ceil(windows / 2))
      return
    }
    const most = this.#most.get(alertId)
    if (most === undefined) return
    // Fewer windows were left than could be read.
    if (windows < most) this.#most.delete(alertId)
    else this.#most.set(alertId, most * 2)
  }
}
