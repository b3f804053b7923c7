/** The evaluated windows of an alert as the page shows them, read from the history or computed. */
import type { AlertEvaluation } from '#contract/stack/alertHistory.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { replay } from '#domain/alerting/evaluate.ts'
import type { Evaluation } from '#domain/alerting/evaluation.ts'
import type { WindowValues } from '#domain/alerting/evaluateWindow.ts'
import type { Span } from '#domain/time/span.ts'

/** `unread`: the window could not be read, or was not evaluated. */
export type WindowState = 'firing' | 'pending' | 'ok' | 'unread'

export interface WindowGroup {
  key: string
  state: WindowState
  value: number | null
  /** No row of the group matched, so that it counts as 0. */
  noRows: boolean
}

/** One window: [start, end), epoch milliseconds. */
export interface EvaluatedWindow {
  start: number
  end: number
  state: WindowState
  /** The value, or the highest one of the groups; null if it is not known. */
  value: number | null
  /** Firing first, then the highest value; null for an alert without groups. The API returns at most 50. */
  groups: readonly WindowGroup[] | null
  groupsTotal: number
  /** No row matched, so that the window counts as 0. */
  noRows: boolean
  silenced: boolean
  /** Milliseconds that reading it took; null if that is not known. */
  readMs: number | null
  /** Why it could not be read, or was not evaluated. */
  problem: string | null
  /** It was not evaluated on purpose: the clock changed in it. */
  skipped?: boolean
  /** The alert was created in it, so that it cannot have fired before. */
  first?: boolean
}

/** The state of the API. One that is not known here counts as not read. */
function stateOf(state: string, fired?: boolean): WindowState {
  if (state === 'OK') return 'ok'
  if (state === 'PENDING') return 'pending'
  if (state === 'ALERT') return fired === false ? 'pending' : 'firing'
  return 'unread'
}

/** A window of the history. `length` is that of the alert's windows, for one that has no value. */
export function windowOfHistory(evaluation: AlertEvaluation, length: number): EvaluatedWindow {
  const { createdAt, state, lastValues, groups, groupsTotal, noRows, silenced, analytics, errors } = evaluation
  const end = Date.parse(createdAt)
  const last = lastValues.at(-1)
  const shown = groups?.map((group) => ({
    key: group.group,
    state: stateOf(group.state, group.fired),
    value: group.lastValue ?? null,
    noRows: group.noRows ?? false,
  }))
  const values = (shown ?? []).flatMap(({ value }) => value ?? [])
  return {
    start: last ? Date.parse(last.startTime) : end - length,
    end,
    state: stateOf(state),
    value: values.length > 0 ? Math.max(...values) : (last?.count ?? (noRows ? 0 : null)),
    groups: shown ?? null,
    groupsTotal: groupsTotal ?? shown?.length ?? 0,
    noRows: noRows ?? false,
    silenced: silenced ?? false,
    readMs: analytics?.queryDurationMs ?? null,
    problem: errors?.map(({ type, message }) => message ?? type ?? 'unknown').join(' ') || null,
    ...(errors?.some(({ type }) => type === 'CLOCK_CHANGED') && { skipped: true }),
  }
}

/** A window that was computed from a chart query. */
export function windowOfReplay({ start, end, state, value, groups, groupsTotal, noRows }: Evaluation): EvaluatedWindow {
  return {
    start,
    end,
    state: stateOf(state),
    value: groups?.length ? Math.max(...groups.map((group) => group.value)) : value,
    groups:
      groups?.map((group) => ({
        key: group.key,
        state: stateOf(group.state),
        value: group.value,
        noRows: group.noRows,
      })) ?? null,
    groupsTotal: groupsTotal ?? 0,
    noRows,
    silenced: false,
    readMs: null,
    problem: null,
  }
}

/** The windows of an alert with the rules of the evaluator, newest first. None was evaluated before the alert was created. */
export function computedWindows(alert: Alert, read: { windows: readonly WindowValues[]; grouped: boolean }) {
  const { id, threshold, thresholdType, thresholdMax, numConsecutiveWindows } = alert
  const rule = { alertId: id, grouped: read.grouped, threshold, thresholdType, thresholdMax, numConsecutiveWindows }
  const created = Date.parse(alert.createdAt ?? '')
  const own = read.windows.filter(({ end }) => !(end <= created))
  const [first, ...others] = replay(rule, own).evaluations.map(windowOfReplay)
  if (!first) return []
  return [{ ...first, ...(first.start <= created && { first: true }) }, ...others].toReversed()
}

/** The number of firing groups: "2", or "at least 50" if there are more than the API returns. */
export function firingGroups({ groups, groupsTotal }: EvaluatedWindow): { count: number; atLeast: boolean } {
  const count = (groups ?? []).filter(({ state }) => state === 'firing').length
  return { count, atLeast: count > 0 && count === groups?.length && groupsTotal > count }
}

/** The newest window, and those whose state, firing groups or problem differ from those of the window before. Newest first. */
export function changesOf(windows: readonly EvaluatedWindow[], complete: boolean): EvaluatedWindow[] {
  return windows.filter((window, at) => {
    const before = windows[at + 1]
    if (at === 0) return true
    // The state before the oldest window is not known, unless there is no earlier one.
    if (!before) return complete
    return signatureOf(window) !== signatureOf(before) || before.end < window.start
  })
}

function signatureOf({ state, groups, problem, silenced }: EvaluatedWindow): string {
  const active = (groups ?? []).filter((group) => group.state !== 'ok').map((group) => `${group.key}\n${group.state}`)
  return [state, problem ?? '', silenced ? 'silenced' : '', ...active.toSorted()].join('\n')
}

/** When a group began to fire, as far as the windows reach; `earlier` if it may have been before them. */
export function firingSince(
  windows: readonly EvaluatedWindow[],
  at: number,
  key: string | null,
): { since: number; earlier: boolean } | null {
  const fires = ({ state, groups }: EvaluatedWindow) =>
    (key === null ? state : groups?.find((group) => group.key === key)?.state) === 'firing'
  const first = windows[at]
  if (!first || !fires(first)) return null
  let since = first.end
  for (const window of windows.slice(at + 1)) {
    // A window that could not be read leaves the state.
    if (window.state === 'unread') continue
    if (!fires(window)) return { since, earlier: false }
    since = window.end
  }
  return { since, earlier: !windows.at(-1)?.first }
}

/** How a window looks in the strip: hollow if no row matched, hatched if it could not be read. */
export type StripState = WindowState | 'empty'

export interface StripRun {
  from: number
  to: number
  state: StripState
  /** Windows in it. */
  count: number
}

/** Windows of the same look that follow each other, oldest first. Nothing is drawn between them. */
export function stripRuns(windows: readonly EvaluatedWindow[]): StripRun[] {
  const runs: StripRun[] = []
  for (const { start, end, state, noRows } of windows.toSorted((a, b) => a.start - b.start)) {
    const look = state === 'ok' && noRows ? 'empty' : state
    const last = runs.at(-1)
    if (last && last.state === look && last.to === start) {
      last.to = end
      last.count++
    } else runs.push({ from: start, to: end, state: look, count: 1 })
  }
  return runs
}

/** The times in which an alert fired: from the end of the window that fired first to the end of the last one. */
export function firingSpans(windows: readonly EvaluatedWindow[]): Span[] {
  const spans: Span[] = []
  let open: Span | null = null
  for (const { end, state } of windows.toSorted((a, b) => a.start - b.start)) {
    if (state === 'unread') continue
    if (state !== 'firing') open = null
    else if (open) open.to = end
    else spans.push((open = { from: end, to: end }))
  }
  return spans
}
