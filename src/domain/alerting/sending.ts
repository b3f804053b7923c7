/** Which changes of a group are sent. */
import type { AlertEvent } from './alertEvent.ts'
import type { AlertRule, Transition } from './evaluateWindow.ts'
import type { GroupState } from './groupState.ts'

/** A group before and after an evaluation. */
export interface GroupChange {
  before: GroupState | undefined
  after: GroupState
  transitions: readonly Transition[]
}

export interface Sending {
  /** To be sent. */
  events: AlertEvent[]
  /** Events that a silence suppressed. */
  suppressed: AlertEvent[]
  /** The group with what receivers know now. */
  group: GroupState
}

/** Decides what is sent of a group. `silenced` says whether a silence suppresses it. */
export function sendingOf(rule: AlertRule, { before, after, transitions }: GroupChange, silenced: boolean): Sending {
  const changes = worthSending(transitions, after.notified).map((transition) => eventOf(rule, transition, 'changed'))
  if (silenced) return { events: [], suppressed: changes, group: { ...after, muted: true } }
  const events = changes.length > 0 ? changes : withoutChange(rule, before, after)
  const last = events.at(-1)
  const heard = last ? { notified: last.state === 'ALERT', notifiedEnd: last.end } : {}
  return { events, suppressed: [], group: { ...after, ...heard, muted: false } }
}

/**
 * Several changes in one evaluation, after a pause of the evaluator, are sent as the last one or two of them. A recovery is
 * only sent to receivers that know of the firing.
 */
export function worthSending<T extends { state: 'ALERT' | 'OK' }>(
  changes: readonly T[],
  notified: boolean,
): readonly T[] {
  const last = changes.slice(-2)
  return last[0]?.state === 'OK' && !notified ? last.slice(1) : last
}

function withoutChange(rule: AlertRule, before: GroupState | undefined, after: GroupState): AlertEvent[] {
  if (after.state === 'ALERT') {
    if (before?.muted) return [eventOf(rule, { ...after, state: 'ALERT' }, 'silence_ended')]
    return isRepeated(rule, before, after) ? [eventOf(rule, { ...after, state: 'ALERT' }, 'repeated')] : []
  }
  // It recovered while it was silenced. A pending group began to violate again since: receivers hear of the recovery.
  return after.notified ? [eventOf(rule, { ...after, state: 'OK' }, 'silence_ended')] : []
}

/** By the windows, not by the clock, so that a pass that is a second early repeats nothing too late. */
function isRepeated(
  { renotifyIntervalMinutes }: AlertRule,
  before: GroupState | undefined,
  after: GroupState,
): boolean {
  if (renotifyIntervalMinutes == null || !after.notified) return false
  const isNew = before === undefined || after.end > before.end
  return isNew && after.end - (after.notifiedEnd ?? after.end) >= renotifyIntervalMinutes * 60_000
}

function eventOf(
  { alertId }: AlertRule,
  { key, group, value, start, end, state }: Transition,
  cause: NonNullable<AlertEvent['cause']>,
): AlertEvent {
  return { alertId, state, groupKey: key, group, value, start, end, cause }
}
