/** Which alerts are due, and what each of them asks. */
import { dueWindows, windowLength, windowPhase, type AlertWindow } from '#domain/alerting/schedule.ts'
import { thresholdProblem } from '#domain/alerting/threshold.ts'
import type { AlertCursor } from '../documents/alertCursors.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { dashboardRows, type DashboardDocument } from '../documents/dashboardRows.ts'
import { savedSearchRows } from '../documents/savedSearchRows.ts'
import type { Queries } from '../store/store.ts'
import { executionErrorOf, invalidAlert, type ExecutionError } from './reading/executionError.ts'
import { savedSearchQuestion, tileQuestion, type Question } from './reading/question.ts'
import type { Reach } from './reach.ts'
import type { Ask } from './reading/scan.ts'

/** An alert as it was when the pass began. */
export interface DueAlert {
  alert: AlertDocument
  /** End of the last evaluated window. */
  done: number | null
  /** The windows to evaluate, oldest first. */
  windows: readonly AlertWindow[]
  /** Earlier windows will never be evaluated. */
  lost: boolean
}

export interface DueAlerts {
  /** To be read. */
  asks: (Ask & { waiting: DueAlert })[]
  /** Cannot be evaluated. */
  invalid: { due: DueAlert; error: ExecutionError }[]
  /** Have groups that were silenced, and no window to evaluate. */
  unchanged: DueAlert[]
}

export async function dueAlerts(
  queries: Queries,
  alerts: readonly AlertDocument[],
  cursors: ReadonlyMap<string, AlertCursor>,
  { now, reach }: { now: number; reach: Reach },
): Promise<DueAlerts> {
  const found: DueAlerts = { asks: [], invalid: [], unchanged: [] }
  const records = recordsOf(queries)
  for (const alert of alerts) {
    if (alert.paused) continue
    const cursor = cursors.get(alert.id)
    const done = cursor?.done ?? null
    const due: DueAlert = { alert, done, ...dueWindows(alert, now, done) }
    if (due.windows.length === 0) {
      if (cursor?.groups.some(({ muted }) => muted)) found.unchanged.push(due)
      continue
    }
    try {
      const question = await questionOf(alert, records)
      const windows = reach.limit(alert.id, due.windows)
      const span = { windows, interval: alert.interval, phase: windowPhase(alert) }
      found.asks.push({ question, span, waiting: due })
    } catch (error) {
      found.invalid.push({ due, error: executionErrorOf(error, 0) })
    }
  }
  return found
}

interface Records {
  dashboard(id: string): Promise<DashboardDocument | undefined>
  queries: Queries
}

/** Reads each dashboard once. */
function recordsOf(queries: Queries): Records {
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

/** @throws ExecutionError for an alert that somebody has to change */
async function questionOf(alert: AlertDocument, records: Records): Promise<Question> {
  const problem = thresholdProblem(alert)
  if (problem) throw invalidAlert(problem)
  if (windowLength(alert) === null) throw invalidAlert(`The interval ${alert.interval} is not known.`)
  if (alert.source !== 'tile') {
    const search = await savedSearchRows.get(records.queries, alert.savedSearchId ?? '')
    if (!search) throw invalidAlert('The saved search of this alert does not exist. It may have been deleted.')
    return savedSearchQuestion(search, alert.groupBy)
  }
  const dashboard = await records.dashboard(alert.dashboardId ?? '')
  if (!dashboard) throw invalidAlert('The dashboard of this alert does not exist. It may have been deleted.')
  const tile = dashboard.tiles.find(({ id }) => id === alert.tileId)
  if (!tile) throw invalidAlert('The tile of this alert does not exist. It may have been deleted.')
  return tileQuestion(tile.config)
}
