/** Evaluates alerts with what was read, and writes the result of several of them in one transaction. */
import type { ClockGap, GuardedClock } from '#node/clock/wallClock.ts'
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import { windowLength, type AlertWindow } from '#domain/alerting/schedule.ts'
import { evaluate, type Evaluated } from '#domain/alerting/evaluate.ts'
import type { AlertRule } from '#domain/alerting/evaluateWindow.ts'
import { groupsAfterTimeSkip, stateOfGroups, type GroupState } from '#domain/alerting/groupState.ts'
import type { PastSilence } from '#domain/alerting/silence.ts'
import { alertCursors, writeCursors, type AlertCursor } from '../documents/alertCursors.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { writeEvaluations, type StoredEvaluation } from '../documents/alertEvaluations.ts'
import { alertRows, alertsById } from '../documents/alertRows.ts'
import type { Queries, Store } from '../store/store.ts'
import type { DueAlert } from './dueAlerts.ts'
import type { ExecutionError } from '#domain/alerting/executionError.ts'
import { keepLease } from './lease.ts'
import type { Answer } from './reading/reader.ts'

/** Stores what is to be sent, in the transaction of the evaluation. */
type Enqueue = (transaction: Queries, alert: AlertDocument, events: readonly AlertEvent[]) => Promise<void>

/** The outcome of a due alert. */
export interface Outcome {
  due: DueAlert
  /** Null if no window was due. */
  answer: Answer | null
}

export interface RecordingDependencies {
  store: Store
  enqueue: Enqueue
  holder: string
  clock: GuardedClock
}

/** The written rows. */
export interface Recorded {
  evaluations: number
  errors: number
  events: number
}

/** @throws LeaseLost if another stack evaluates alerts now. Nothing is written then */
export function record(
  { store, enqueue, holder, clock }: RecordingDependencies,
  outcomes: readonly Outcome[],
  now: number,
): Promise<Recorded> {
  return store.write(async (transaction) => {
    await keepLease(transaction, holder, clock.now())
    const ids = outcomes.map(({ due }) => due.alert.id)
    const alerts = await alertsById(transaction, ids)
    const cursors = await alertCursors(transaction, ids)
    const written: Recorded = { evaluations: 0, errors: 0, events: 0 }
    const evaluations: StoredEvaluation[] = []
    const moved: AlertCursor[] = []
    for (const { due, answer } of outcomes) {
      const alert = alerts.get(due.alert.id)
      const cursor = cursors.get(due.alert.id) ?? { alertId: due.alert.id, done: null, groups: [], setBacks: 0 }
      // Changed or evaluated since it was read: the next pass evaluates it.
      if (!alert || alert.paused || alert.updatedAt !== due.alert.updatedAt || cursor.done !== due.done) continue
      if (answer && 'error' in answer) {
        written.errors++
        evaluations.push(unreadWindow(due, answer.error))
        await changeAlert(transaction, alert, {
          state: stateWithoutData(alert, cursor, due),
          pendingWindows: alert.pendingWindows,
          errors: [answer.error],
          silencedFrom: Math.min(now, due.windows[0]?.end ?? now),
          now,
        })
        // From here on, windows that cannot be read are read later.
        const [first] = due.windows
        if (cursor.done === null && first) moved.push({ ...cursor, done: first.start })
        continue
      }
      const { windows = [], grouped = false, milliseconds = 0 } = answer ?? {}
      const done = windows.at(-1)?.end ?? due.uncertain.at(-1)?.end ?? cursor.done
      const result = evaluate({
        rule: ruleOf(alert, grouped),
        windows,
        groups: groupsAt(cursor, done, clock.gaps()),
        silences: silencesOf(alert),
        now,
        outdated: due.uncertain.length > 0,
      })
      const backfilledBuckets = windows.length - 1
      const analytics = { queryDurationMs: milliseconds, ...(backfilledBuckets > 0 && { backfilledBuckets }) }
      evaluations.push(...result.evaluations.map((evaluation) => ({ ...evaluation, alertId: alert.id, analytics })))
      evaluations.push(...due.uncertain.map((window) => uncertainWindow(alert.id, window)))
      moved.push({ ...cursor, done, groups: result.groups })
      await changeAlert(transaction, alert, {
        state: result.state,
        pendingWindows: pendingWindowsOf(result),
        errors: answer ? [] : null,
        silencedFrom: Math.min(now, (done ?? now) + (windowLength(alert) ?? 0)),
        now,
      })
      const { setBacks } = cursor
      const events = result.events.map((event) => ({ ...event, ...(setBacks > 0 && { clockSetBack: setBacks }) }))
      if (events.length > 0) await enqueue(transaction, alert, events)
      written.evaluations += result.evaluations.length
      written.events += result.events.length
    }
    await writeEvaluations(transaction, evaluations)
    await writeCursors(transaction, moved)
    return written
  })
}

export function ruleOf(alert: AlertDocument, grouped: boolean): AlertRule {
  const { id, threshold, thresholdType, thresholdMax, numConsecutiveWindows, renotifyIntervalMinutes, acknowledged } =
    alert
  return {
    alertId: id,
    grouped,
    threshold,
    thresholdType,
    thresholdMax,
    numConsecutiveWindows,
    // A person who takes care of it need not be notified again.
    renotifyIntervalMinutes: acknowledged ? null : renotifyIntervalMinutes,
  }
}

function silencesOf({ silenced, silencedGroups = [] }: AlertDocument): PastSilence[] {
  const all = [...(silenced ? [{ ...silenced, group: null }] : []), ...silencedGroups]
  return all.map(({ group, at, until, recurring }) => ({
    group,
    from: Date.parse(at),
    until: Date.parse(until),
    recurring,
  }))
}

/** The newest window could not be read. It is read again in the next pass. */
function unreadWindow({ alert, windows }: DueAlert, { type, message }: ExecutionError): StoredEvaluation {
  const { start = 0, end = 0 } = windows.at(-1) ?? {}
  return {
    alertId: alert.id,
    start,
    end,
    state: 'INSUFFICIENT_DATA',
    counts: 0,
    value: null,
    noRows: false,
    errors: [{ type, message }],
  }
}

/** The clock changed within the window: what its rows say about it is not known. */
function uncertainWindow(alertId: string, { start, end }: AlertWindow): StoredEvaluation {
  const errors = [{ type: 'CLOCK_CHANGED', message: 'Not evaluated: the clock changed.' }]
  return { alertId, start, end, state: 'INSUFFICIENT_DATA', counts: 0, value: null, noRows: false, errors }
}

/** The memory of groups, when the evaluation gets to `to`. Time that a step forward skipped did not pass for them. */
function groupsAt({ done, groups }: AlertCursor, to: number | null, gaps: readonly ClockGap[]): readonly GroupState[] {
  if (done === null || to === null) return groups
  const skipped = gaps.filter(({ end }) => done < end && end <= to).reduce((sum, gap) => sum + gap.skipped, 0)
  return skipped === 0 ? groups : groupsAfterTimeSkip(groups, skipped)
}

/** An error leaves the state, unless windows are lost for good, or none was ever read, and nothing fires. */
function stateWithoutData(alert: AlertDocument, { done, groups }: AlertCursor, { lost }: DueAlert): string {
  const state = stateOfGroups(groups)
  if (state !== 'OK') return state
  return done === null || lost ? 'INSUFFICIENT_DATA' : alert.state
}

/** The longest streak of a pending alert; undefined in other states. */
function pendingWindowsOf({ state, groups }: Pick<Evaluated, 'state' | 'groups'>): number | undefined {
  return state === 'PENDING' ? Math.max(...groups.map(({ streak }) => streak)) : undefined
}

interface AlertChange {
  state: string
  pendingWindows: number | undefined
  /** The errors of this evaluation; null to keep the last ones. */
  errors: readonly ExecutionError[] | null
  /** When the next window ends, at the latest now: silences that have ended before are no longer needed. */
  silencedFrom: number
  now: number
}

/** Writes the alert only if something of it changed. */
async function changeAlert(
  transaction: Queries,
  stored: AlertDocument,
  { state, pendingWindows, errors, silencedFrom, now }: AlertChange,
) {
  const executionErrors = errors ? errorsOf(stored, errors, now) : stored.executionErrors
  const { silenced, silencedGroups, acknowledged, pendingWindows: _, ...rest } = stored
  const groups = silencedGroups?.filter((group) => Date.parse(group.until) > silencedFrom) ?? []
  const alert: AlertDocument = {
    ...rest,
    state,
    ...(pendingWindows !== undefined && { pendingWindows }),
    ...(executionErrors && { executionErrors }),
    ...(acknowledged && state === 'ALERT' && { acknowledged }),
    // Silences that have ended are removed.
    ...(silenced && Date.parse(silenced.until) > silencedFrom && { silenced }),
    ...(groups.length > 0 && { silencedGroups: groups }),
  }
  if (JSON.stringify(sortedEntries(alert)) === JSON.stringify(sortedEntries(stored))) return
  await alertRows.update(transaction, alert)
}

const sortedEntries = (alert: AlertDocument) => Object.entries(alert).toSorted(([a], [b]) => (a < b ? -1 : 1))

/** Replaces the errors of the last evaluation. Those of deliveries are not its own. */
function errorsOf(stored: AlertDocument, errors: readonly ExecutionError[], now: number) {
  const earlier = stored.executionErrors ?? []
  const deliveries = earlier.filter(({ type }) => type === 'WEBHOOK_ERROR')
  const own = errors.map(({ type, message }) => {
    const known = earlier.find((candidate) => candidate.type === type && candidate.message === message)
    return known ?? { timestamp: new Date(now).toISOString(), type, message }
  })
  return stored.executionErrors || own.length > 0 ? [...deliveries, ...own] : undefined
}
