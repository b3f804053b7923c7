/** The decision about an alert: a pure function of its rule, what was read, and what is remembered. */
import type { AlertEvent } from './alertEvent.ts'
import { evaluateWindow, type AlertRule, type Transition, type WindowValues } from './evaluateWindow.ts'
import { evaluationOf, type Evaluation } from './evaluation.ts'
import { stateOfGroups, type ActiveState, type GroupState } from './groupState.ts'
import { sendingOf } from './sending.ts'
import { isSilenced, type Silence } from './silence.ts'

interface Evaluating {
  rule: AlertRule
  /** The windows to evaluate, oldest first. Without windows, only silences that have ended are handled. */
  windows: readonly WindowValues[]
  /** What the last evaluation remembered. */
  groups: readonly GroupState[]
  silences?: readonly Silence[]
  /** Epoch milliseconds: decides which silences are in effect. */
  now: number
}

export interface Evaluated {
  evaluations: Evaluation[]
  /** To be remembered. */
  groups: GroupState[]
  state: ActiveState | 'OK'
  /** To be sent, in this order. */
  events: AlertEvent[]
  /** What a silence suppressed. */
  suppressed: AlertEvent[]
}

/** Evaluates windows of one alert. */
export function evaluate({ rule, windows, groups, silences = [], now }: Evaluating): Evaluated {
  const before = new Map(groups.map((group) => [group.key, group]))
  const tracked = new Map(before)
  const latest = new Map<string, GroupState>()
  const transitions = new Map<string, Transition[]>()
  const evaluations: Evaluation[] = []
  for (const window of windows) {
    const evaluated = evaluateWindow(rule, tracked, window)
    evaluations.push(evaluationOf(window, evaluated.groups, rule.grouped))
    for (const one of evaluated.transitions) transitions.set(one.key, [...(transitions.get(one.key) ?? []), one])
  }
  for (const [key, group] of tracked) latest.set(key, group)
  // Groups that recovered are no longer tracked, but their recovery may have to be sent.
  for (const [key, all] of transitions) if (!latest.has(key)) latest.set(key, recovered(before.get(key), all))

  const sendings = [...latest].map(([key, after]) =>
    sendingOf(
      rule,
      { before: before.get(key), after, transitions: transitions.get(key) ?? [] },
      isSilenced(silences, key, now),
    ),
  )
  const remembered = sendings.map(({ group }) => group).filter(({ state, notified }) => state !== 'OK' || notified)
  const suppressed = sendings.flatMap((one) => one.suppressed)
  return {
    evaluations: evaluations.map((one) => withSilence(one, suppressed)),
    groups: remembered,
    state: stateOfGroups(remembered),
    events: sendings.flatMap((one) => one.events),
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
