/** The decision about an alert: a pure function of its rule, what was read, and what is remembered. */
import type { AlertEvent } from './alertEvent.ts'
import { evaluateWindow, type AlertRule, type Transition, type WindowValues } from './evaluateWindow.ts'
import { evaluationOf, type Evaluation } from './evaluation.ts'
import { stateOfGroups, type ActiveState, type GroupState } from './groupState.ts'
import { sendingOf, worthSending } from './sending.ts'
import { isSilenced, silencesInEffect, type PastSilence } from './silence.ts'

interface Evaluating {
  rule: AlertRule
  /** The windows to evaluate, oldest first. Without windows, only silences that have ended are handled. */
  windows: readonly WindowValues[]
  /** The memory of the last evaluation. */
  groups: readonly GroupState[]
  /**
   * Notifications are suppressed by those in effect now, and by those that were in effect when the window ended, because a
   * window may be evaluated much later.
   */
  silences?: readonly PastSilence[]
  /** Epoch milliseconds. */
  now: number
  /** Windows were skipped since the last evaluation, so the state of the groups is unknown: they are marked as outdated, and nothing is sent. */
  outdated?: boolean
}

export interface Evaluated {
  evaluations: Evaluation[]
  /** To be remembered. */
  groups: GroupState[]
  state: ActiveState | 'OK'
  /** To be sent, in this order. */
  events: AlertEvent[]
  /** Events that a silence suppressed. */
  suppressed: AlertEvent[]
}

/** Evaluates windows of one alert. */
export function evaluate({ rule, windows, groups, silences = [], now, outdated }: Evaluating): Evaluated {
  if (outdated) return withoutSending(groups.map((group) => ({ ...group, outdated: true })))
  const isSilencedNow = (key: string) => isSilenced(silences, key, now)
  if (windows.length === 0) {
    const ended = evaluatePart(
      rule,
      [],
      groups.filter((group) => !group.outdated),
      isSilencedNow,
    )
    const remembered = [...ended.groups, ...groups.filter((group) => group.outdated)]
    return { ...ended, groups: remembered, state: stateOfGroups(remembered) }
  }
  const evaluated: Evaluated[] = []
  let remembered = groups.map(upToDate)
  for (const { ended, past } of partsOf(windows, silences)) {
    const isSilencedInPart = (key: string) =>
      isSilencedNow(key) || past.some(({ group }) => group == null || group === key)
    const part = evaluatePart(rule, ended, remembered, isSilencedInPart)
    evaluated.push(part)
    remembered = part.groups
  }
  const notified = new Set(groups.filter((group) => group.notified).map(({ key }) => key))
  return {
    evaluations: evaluated.flatMap(({ evaluations }) => evaluations),
    groups: remembered,
    state: stateOfGroups(remembered),
    events: lastChanges(
      evaluated.map(({ events }) => events),
      notified,
    ),
    suppressed: evaluated.flatMap(({ suppressed }) => suppressed),
  }
}

function upToDate(group: GroupState): GroupState {
  const { outdated: _, ...known } = group
  return known
}

function withoutSending(groups: GroupState[]): Evaluated {
  return { evaluations: [], groups, state: stateOfGroups(groups), events: [], suppressed: [] }
}

/** Windows that ended under the same silences, one after the other. */
interface Part {
  ended: WindowValues[]
  /** In effect when they ended. */
  past: readonly PastSilence[]
}

function partsOf(windows: readonly WindowValues[], silences: readonly PastSilence[]): Part[] {
  const parts: Part[] = []
  for (const window of windows) {
    const past = silencesInEffect(silences, window.end)
    const last = parts.at(-1)
    if (last && last.past.length === past.length && last.past.every((pastSilence, at) => pastSilence === past[at])) {
      last.ended.push(window)
    } else parts.push({ ended: [window], past })
  }
  return parts
}

/** The events of all parts, without those that a later part supersedes. */
function lastChanges(parts: readonly AlertEvent[][], notified: ReadonlySet<string>): AlertEvent[] {
  const all = parts.flat()
  if (parts.length === 1) return all
  const keys = new Set(all.map(({ groupKey }) => groupKey))
  const sent = new Set(
    [...keys].flatMap((key) => {
      const events = all.filter(({ groupKey }) => groupKey === key)
      const changed = events.filter(({ state }, at) => state !== events[at + 1]?.state)
      return worthSending(changed, notified.has(key))
    }),
  )
  return all.filter((event) => sent.has(event))
}

function evaluatePart(
  rule: AlertRule,
  windows: readonly WindowValues[],
  groups: readonly GroupState[],
  isGroupSilenced: (key: string) => boolean,
): Evaluated {
  const before = new Map(groups.map((group) => [group.key, group]))
  const tracked = new Map(before)
  const latest = new Map<string, GroupState>()
  const transitions = new Map<string, Transition[]>()
  const evaluations: Evaluation[] = []
  for (const window of windows) {
    const evaluated = evaluateWindow(rule, tracked, window)
    evaluations.push(evaluationOf(window, evaluated.groups, rule.grouped))
    for (const transition of evaluated.transitions) {
      transitions.set(transition.key, [...(transitions.get(transition.key) ?? []), transition])
    }
  }
  for (const [key, group] of tracked) latest.set(key, group)
  // Groups that recovered are no longer tracked, but their recovery may have to be sent.
  for (const [key, all] of transitions) if (!latest.has(key)) latest.set(key, recovered(before.get(key), all))

  const sendings = [...latest].map(([key, after]) =>
    sendingOf(rule, { before: before.get(key), after, transitions: transitions.get(key) ?? [] }, isGroupSilenced(key)),
  )
  const remembered = sendings.map(({ group }) => group).filter(({ state, notified }) => state !== 'OK' || notified)
  const suppressed = sendings.flatMap((sending) => sending.suppressed)
  return {
    evaluations: evaluations.map((evaluation) => withSilence(evaluation, suppressed)),
    groups: remembered,
    state: stateOfGroups(remembered),
    events: sendings.flatMap((sending) => sending.events),
    suppressed,
  }
}

/** A group that fired and recovered within the evaluated windows. */
function recovered(before: GroupState | undefined, transitions: readonly Transition[]): GroupState {
  const { key = '', group = null, start = 0, end = 0, value = 0 } = transitions.at(-1) ?? {}
  const { notified = false, notifiedEnd = null, muted = false } = before ?? {}
  return { key, group, state: 'OK', streak: 0, start, end, value, rowsAt: end, notified, notifiedEnd, muted }
}

function withSilence(evaluation: Evaluation, suppressed: readonly AlertEvent[]): Evaluation {
  return suppressed.some(({ end }) => end === evaluation.end) ? { ...evaluation, silenced: true } : evaluation
}

/** Evaluates windows one after the other, each when it ends and without silences: a backtest. */
export function replay(rule: AlertRule, windows: readonly WindowValues[]): Pick<Evaluated, 'evaluations' | 'events'> {
  const evaluations: Evaluation[] = []
  const events: AlertEvent[] = []
  let groups: GroupState[] = []
  for (const window of windows) {
    const evaluated = evaluate({ rule, windows: [window], groups, now: window.end })
    evaluations.push(...evaluated.evaluations)
    events.push(...evaluated.events)
    groups = evaluated.groups
  }
  return { evaluations, events }
}
