/** Evaluates an alert over its newest windows, as a pass does, and stores nothing. */
import { evaluate } from '#domain/alerting/evaluate.ts'
import type { AlertWindow } from '#domain/alerting/schedule.ts'
import { catchUpLimit, newestEnd, windowLength, windowPhase } from '#domain/alerting/schedule.ts'
import type { Evaluation } from '#domain/alerting/evaluation.ts'
import type { ExecutionError } from '#domain/alerting/executionError.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import type { Readable } from '../telemetry/series/seriesQuery.ts'
import { checkRule } from './dueAlerts.ts'
import { executionErrorOf } from './reading/executionError.ts'
import { Reader } from './reading/reader.ts'
import { watchedQuery, watchedRecords } from './reading/watchedQuery.ts'
import { ruleOf } from './recording.ts'

interface EvaluationDependencies {
  store: Store
  engine: Engine
  readable: () => Promise<Readable>
  /** Epoch milliseconds. */
  now: number
  /** Time limit of the query. */
  maxSeconds: number
  signal: AbortSignal
}

export interface EvaluatedNow {
  /** The evaluation of the newest window. */
  evaluation: Evaluation
  /** Whether its values are those of groups. */
  isGrouped: boolean
  /** Windows that were read. */
  windows: number
  /** Milliseconds of the query. */
  milliseconds: number
}

/** The evaluation of the newest window, with as many windows before it as have to violate the threshold one after the other. */
export async function evaluateNow(
  alert: AlertDocument,
  { store, engine, readable, now, maxSeconds, signal }: EvaluationDependencies,
): Promise<EvaluatedNow | { error: ExecutionError }> {
  try {
    checkRule(alert)
    const windows = newestWindows(alert, now)
    const span = { windows, interval: alert.interval, phase: windowPhase(alert) }
    const alertQuery = await watchedQuery(alert, watchedRecords(store))
    const reader = new Reader({ engine, maxSeconds, maxQueries: 1 })
    const [answer] = await reader.read({ entries: [{ alertQuery, span, waiting: null }] }, await readable(), signal)
    if (!answer || 'error' in answer) return { error: answer?.error ?? executionErrorOf(null, maxSeconds) }
    const rule = ruleOf(alert, answer.grouped)
    const evaluation = evaluate({ rule, windows: answer.windows, groups: [], now }).evaluations.at(-1)
    if (!evaluation) return { error: executionErrorOf(null, maxSeconds) }
    return { evaluation, isGrouped: answer.grouped, windows: windows.length, milliseconds: answer.milliseconds }
  } catch (error) {
    return { error: executionErrorOf(error, maxSeconds) }
  }
}

function newestWindows(alert: AlertDocument, now: number): AlertWindow[] {
  const length = windowLength(alert) ?? 60_000
  const last = newestEnd(alert, now) ?? now
  const count = Math.min(alert.numConsecutiveWindows ?? 1, catchUpLimit(length))
  return Array.from({ length: count }, (_, at) => {
    const end = last - (count - 1 - at) * length
    return { start: end - length, end }
  })
}
