/** Evaluates one window of an alert: its groups before and after, and what changed. */
import type { Group, GroupState } from './groupState.ts'
import type { AlertWindow } from './schedule.ts'
import { violates, type Threshold } from './threshold.ts'

/** The fields of an alert that decide. */
export interface AlertRule extends Threshold {
  alertId: string
  /** Whether the rows of a window are grouped. */
  grouped: boolean
  /** Number of consecutive windows that must violate the threshold. Default 1. */
  numConsecutiveWindows?: number | null | undefined
  /** Minutes after which a firing group is sent again; absent to send only changes. */
  renotifyIntervalMinutes?: number | null | undefined
}

/** The value of one group in a window. */
export interface GroupValue {
  key: string
  /** Null without groups. */
  group: Group | null
  value: number
}

/** The values of a window. Without values, no row matched. */
export interface WindowValues extends AlertWindow {
  values: readonly GroupValue[]
}

/** A group in an evaluated window. */
export interface EvaluatedGroup extends GroupValue {
  state: 'ALERT' | 'PENDING' | 'OK'
  /** No row of the group was in the window, so that its value is 0. */
  noRows: boolean
}

/** A group that began to fire (`ALERT`) or recovered (`OK`). */
export interface Transition extends GroupValue, AlertWindow {
  state: 'ALERT' | 'OK'
}

export interface EvaluatedWindow {
  groups: EvaluatedGroup[]
  transitions: Transition[]
}

/**
 * After this time without rows a firing group is resolved, even if 0 violates the threshold: groups such as pods
 * disappear for good.
 */
export const goneAfterMs = 24 * 3_600_000

/** Evaluates a window, and updates `tracked`: the groups that are firing or pending, by key. */
export function evaluateWindow(
  rule: AlertRule,
  tracked: Map<string, GroupState>,
  window: WindowValues,
): EvaluatedWindow {
  const groups: EvaluatedGroup[] = []
  const transitions: Transition[] = []
  for (const reading of readingsOf(rule, tracked, window)) {
    const before = tracked.get(reading.key)
    const after = stateAfter(rule, before, reading, window)
    groups.push({
      key: reading.key,
      group: reading.group,
      value: reading.value,
      state: after.state,
      noRows: reading.noRows,
    })
    if ((before?.state === 'ALERT') !== (after.state === 'ALERT')) {
      const { key, group, value } = reading
      const { start, end } = window
      transitions.push({ key, group, value, start, end, state: after.state === 'ALERT' ? 'ALERT' : 'OK' })
    }
    // A group that is OK is forgotten, unless receivers still know it as firing.
    if (after.state === 'OK' && !after.notified) tracked.delete(reading.key)
    else tracked.set(reading.key, after)
  }
  return { groups, transitions }
}

interface Reading extends GroupValue {
  noRows: boolean
  /** The group is OK whatever its value: it is not a group of this alert any more. */
  over: boolean
}

/** The values of a window, and those of tracked groups without rows: they count as 0. */
function readingsOf(rule: AlertRule, tracked: ReadonlyMap<string, GroupState>, window: WindowValues): Reading[] {
  const readings = new Map<string, Reading>()
  for (const value of window.values) {
    const known = readings.get(value.key)
    // If a group has several rows, one that violates the threshold counts.
    if (known && (violates(rule, known.value) || !violates(rule, value.value))) continue
    readings.set(value.key, { ...value, noRows: false, over: false })
  }
  const empty = readings.size === 0
  if (empty && (!rule.grouped || violates(rule, 0))) {
    readings.set('', { key: '', group: null, value: 0, noRows: true, over: false })
  }
  for (const [key, { group, rowsAt, state }] of tracked) {
    if (readings.has(key) || state === 'OK') continue
    // The key is empty for "no rows of any group", which ends with the first row.
    const otherGrouping = rule.grouped === (key === '')
    const gone = rule.grouped && key !== '' && window.end - rowsAt >= goneAfterMs
    readings.set(key, { key, group, value: 0, noRows: true, over: otherGrouping || gone })
  }
  return [...readings.values()]
}

function stateAfter(
  rule: AlertRule,
  before: GroupState | undefined,
  { key, group, value, noRows, over }: Reading,
  { start, end }: AlertWindow,
): GroupState {
  const violated = !over && violates(rule, value)
  // A window that was never evaluated restarts the count, but a firing group keeps firing.
  const streak = violated ? (before && before.end >= start ? before.streak : 0) + 1 : 0
  const fires = violated && (before?.state === 'ALERT' || streak >= (rule.numConsecutiveWindows ?? 1))
  return {
    key,
    group,
    state: fires ? 'ALERT' : violated ? 'PENDING' : 'OK',
    streak,
    start,
    end,
    value,
    rowsAt: noRows ? (before?.rowsAt ?? end) : end,
    notified: before?.notified ?? false,
    notifiedEnd: before?.notifiedEnd ?? null,
    muted: before?.muted ?? false,
  }
}
