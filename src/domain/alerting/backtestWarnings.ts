/** Warnings about a backtest before the alert is saved. */
import { isWorseBy, type Backtest } from './backtest.ts'
import { compact, countFirings, violations } from './compactWindows.ts'
import type { AlertRule, WindowValues } from './evaluateWindow.ts'
import { windowLength, windowPhase, type Schedule } from './schedule.ts'
import type { Sweep } from './sweep.ts'
import { violates } from './threshold.ts'

export type BacktestWarning =
  /** No row matched in the whole range: the values say nothing about the threshold. */
  | { kind: 'noRowMatched' }
  /** Rows matched, but no window violated the threshold. `closest` is the value nearest to it. */
  | { kind: 'neverFires'; closest: number }
  /** It fires nearly all the time. */
  | { kind: 'alwaysFires'; groupKey: string; share: number }
  /** It fires again soon after it was resolved. `calmer`: with this many consecutive windows there are fewer firings. */
  | { kind: 'flaps'; groupKey: string; times: number; calmer: { windows: number; firings: number } | null }
  /** A slightly different threshold gives many more or fewer firings. */
  | { kind: 'edge'; threshold: number; firings: number }
  /** Deployments compare this group column instead of the value. */
  | { kind: 'numericGroup'; column: string }
  /** Deployments evaluate every window of this alert as 0. */
  | { kind: 'misaligned' }
  /** Violations that were shorter than the consecutive windows. The worst of them. */
  | { kind: 'heldBack'; count: number; start: number; end: number; windows: number; groupKey: string; peak: number }
  /** Windows without rows fire, because 0 violates the threshold. */
  | { kind: 'emptyFires'; empty: number }
  /** Windows in which no row matched. */
  | { kind: 'emptyWindows'; empty: number; total: number }

export interface Backtested {
  rule: AlertRule
  schedule: Schedule
  windows: readonly WindowValues[]
  result: Backtest
  sweep: Sweep | null
}

/** The most important first. */
export function backtestWarnings(backtested: Backtested): BacktestWarning[] {
  const { rule, windows } = backtested
  const empty = windows.filter(({ values }) => values.length === 0).length
  const some: (BacktestWarning | null)[] =
    windows.length > 0 && empty === windows.length
      ? [{ kind: 'noRowMatched' }, emptyWarning(rule, empty, windows.length)]
      : [
          neverFires(backtested),
          alwaysFires(backtested),
          flaps(backtested),
          edge(backtested),
          heldBack(backtested),
          emptyWarning(rule, empty, windows.length),
        ]
  return [...some, numericGroup(windows), misaligned(backtested.schedule)].filter((warning) => warning !== null)
}

function emptyWarning(rule: AlertRule, empty: number, total: number): BacktestWarning | null {
  if (empty === 0) return null
  if (violates(rule, 0)) return { kind: 'emptyFires', empty }
  return empty === total ? null : { kind: 'emptyWindows', empty, total }
}

function neverFires({ rule, windows, result }: Backtested): BacktestWarning | null {
  if (result.firings.length > 0) return null
  let closest: number | null = null
  const distance = (value: number) =>
    Math.min(Math.abs(value - rule.threshold), Math.abs(value - (rule.thresholdMax ?? rule.threshold)))
  for (const { values } of windows) {
    for (const { value } of values) {
      if (violates(rule, value)) return null
      if (closest === null || distance(value) < distance(closest)) closest = value
    }
  }
  return closest === null ? null : { kind: 'neverFires', closest }
}

const alwaysShare = 0.9

function alwaysFires({ windows, result }: Backtested): BacktestWarning | null {
  const total = (windows.at(-1)?.end ?? 0) - (windows[0]?.start ?? 0)
  const longest = longestByGroup(result)
  if (!longest || total === 0) return null
  const share = longest.durationMs / total
  return share >= alwaysShare ? { kind: 'alwaysFires', groupKey: longest.groupKey, share } : null
}

function longestByGroup({ firings }: Backtest): { groupKey: string; durationMs: number } | null {
  const durations = new Map<string, number>()
  for (const { groupKey, durationMs } of firings) durations.set(groupKey, (durations.get(groupKey) ?? 0) + durationMs)
  const [first] = [...durations].toSorted(([, a], [, b]) => b - a)
  return first ? { groupKey: first[0], durationMs: first[1] } : null
}

/** Fires again within so many windows after it was resolved, so often. */
const flapping = { windows: 3, times: 3 }

function flaps({ rule, windows, result }: Backtested): BacktestWarning | null {
  const [first] = windows
  if (!first) return null
  const soon = flapping.windows * (first.end - first.start)
  const ends = new Map<string, number>()
  const again = new Map<string, number>()
  for (const { groupKey, firedAt, end } of result.firings) {
    const before = ends.get(groupKey)
    if (before !== undefined && firedAt - before <= soon) again.set(groupKey, (again.get(groupKey) ?? 0) + 1)
    ends.set(groupKey, end)
  }
  const [worst] = [...again].toSorted(([, a], [, b]) => b - a)
  if (!worst || worst[1] < flapping.times) return null
  return { kind: 'flaps', groupKey: worst[0], times: worst[1], calmer: settingWithFewerFirings(rule, windows, result) }
}

/** The fewest consecutive windows with at most half of the firings, and not none. */
function settingWithFewerFirings(rule: AlertRule, windows: readonly WindowValues[], { firings }: Backtest) {
  const compacted = compact(windows, rule.grouped)
  for (let wanted = (rule.numConsecutiveWindows ?? 1) + 1; wanted <= 10; wanted++) {
    const count = countFirings({ ...rule, numConsecutiveWindows: wanted }, compacted)
    if (count === 0) return null
    if (count <= firings.length / 2) return { windows: wanted, firings: count }
  }
  return null
}

/** How far a threshold next to this one may be, and the ratio of firings from which on it is a warning. */
const nearShare = 0.1
const edgeRatio = 1.5

function edge({ rule, result, sweep }: Backtested): BacktestWarning | null {
  const now = result.firings.length
  if (!sweep || now === 0) return null
  const near = sweep.points.filter(
    ({ threshold }) =>
      threshold !== rule.threshold && Math.abs(threshold - rule.threshold) <= Math.abs(rule.threshold) * nearShare,
  )
  const other = near.find(({ firings }) => firings - now >= 2 && firings >= now * edgeRatio)
  return other ? { kind: 'edge', ...other } : null
}

function heldBack({ rule, windows }: Backtested): BacktestWarning | null {
  if ((rule.numConsecutiveWindows ?? 1) <= 1) return null
  const held = violations(rule, compact(windows, rule.grouped)).filter(({ fires }) => !fires)
  const isWorse = isWorseBy(rule)
  let worst: Extract<BacktestWarning, { kind: 'heldBack' }> | null = null
  for (const { key, from, count } of held) {
    const inside = windows.slice(from, from + count)
    const values = inside.flatMap((window) =>
      window.values.filter((group) => group.key === key).map(({ value }) => value),
    )
    const peak = values.reduce((a, b) => (isWorse(b, a) ? b : a), values[0] ?? 0)
    const [first] = inside
    const last = inside.at(-1)
    if (!first || !last || (worst && !isWorse(peak, worst.peak))) continue
    worst = {
      kind: 'heldBack',
      count: held.length,
      start: first.start,
      end: last.end,
      windows: count,
      groupKey: key,
      peak,
    }
  }
  return worst
}

function numericGroup(windows: readonly WindowValues[]): BacktestWarning | null {
  const numeric = new Map<string, boolean>()
  // The windows of a group share one object.
  const groups = new Set(windows.flatMap(({ values }) => values.map(({ group }) => group)))
  for (const group of groups) {
    for (const [column, text] of Object.entries(group ?? {})) {
      if (text === null) continue
      numeric.set(column, numeric.get(column) !== false && /^-?\d+(?:\.\d+)?$/.test(text))
    }
  }
  const column = [...numeric].find(([, isNumeric]) => isNumeric)?.[0]
  return column === undefined ? null : { kind: 'numericGroup', column }
}

const sixHours = 6 * 3_600_000

function misaligned(schedule: Schedule): BacktestWarning | null {
  const length = windowLength(schedule)
  return length !== null && length >= sixHours && windowPhase(schedule) !== 0 ? { kind: 'misaligned' } : null
}
