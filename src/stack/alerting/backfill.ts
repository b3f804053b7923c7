/** The history of an alert before it was created. It is evaluated like any other, but nothing is sent. */
import { evaluate } from '#domain/alerting/evaluate.ts'
import { windowLength, windowPhase, type AlertWindow } from '#domain/alerting/schedule.ts'
import { writeCursors } from '../documents/alertCursors.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { writeEvaluations } from '../documents/alertEvaluations.ts'
import { alertRows } from '../documents/alertRows.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import type { Readable } from '../telemetry/series/seriesQuery.ts'
import { Reader } from './reading/reader.ts'
import { watchedQuery, watchedRecords } from './reading/watchedQuery.ts'
import { ruleOf } from './recording.ts'

interface BackfillDependencies {
  store: Store
  engine: Engine
  readable: () => Promise<Readable>
  signal: AbortSignal
}

/** Writes an alert together with the evaluations of its windows in a range. */
type WriteHistory = (transaction: Queries) => Promise<void>

/**
 * Evaluates an alert over [from, to), epoch milliseconds, without storing anything.
 *
 * @returns what stores the alert with this history, in the caller's transaction
 * @throws ExecutionError if the windows cannot be read
 */
export async function backfill(
  { store, engine, readable, signal }: BackfillDependencies,
  alert: AlertDocument,
  range: { from: number; to: number },
): Promise<WriteHistory> {
  const windows = windowsIn(alert, range)
  const alertQuery = await watchedQuery(alert, watchedRecords(store))
  const span = { windows, interval: alert.interval, phase: windowPhase(alert) }
  const reader = new Reader({ engine, maxSeconds: 60, maxQueries: 1 })
  const sources = await readable()
  const [answer] = await reader.read({ entries: [{ alertQuery, span, waiting: alert }] }, sources, signal)
  if (!answer || 'error' in answer) throw answer?.error ?? new Error('the windows were not read')
  const { evaluations, groups, state } = evaluate({
    rule: ruleOf(alert, answer.grouped),
    windows: answer.windows,
    groups: [],
    now: range.to,
  })
  return async (transaction) => {
    await alertRows.insert(transaction, { ...alert, state })
    await writeEvaluations(
      transaction,
      evaluations.map((evaluation) => ({ ...evaluation, alertId: alert.id })),
    )
    await writeCursors(transaction, [{ alertId: alert.id, done: windows.at(-1)?.end ?? null, groups, setBacks: 0 }])
  }
}

function windowsIn(alert: AlertDocument, { from, to }: { from: number; to: number }): AlertWindow[] {
  const length = windowLength(alert)
  if (length === null) return []
  const phase = windowPhase(alert)
  const windows: AlertWindow[] = []
  let start = phase + Math.ceil((from - phase) / length) * length
  for (; start + length <= to; start += length) windows.push({ start, end: start + length })
  return windows
}
