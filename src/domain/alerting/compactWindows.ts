/** Windows as numbers, for replaying them with many thresholds. */
import { goneAfterMs, type AlertRule, type WindowValues } from './evaluateWindow.ts'
import { violates } from './threshold.ts'

/** The values of one group, in the order of the windows. */
interface Rows {
  key: string
  /** Place of the window. */
  at: number[]
  values: number[]
}

export interface CompactWindows {
  count: number
  /** Length of a window, milliseconds. */
  length: number
  grouped: boolean
  groups: Rows[]
  /** The windows in which no row matched. */
  empty: number[]
}

/** @param windows follow each other, oldest first */
export function compact(windows: readonly WindowValues[], grouped: boolean): CompactWindows {
  const groups = new Map<string, Rows>()
  const empty: number[] = []
  windows.forEach(({ values }, at) => {
    if (values.length === 0) empty.push(at)
    // Without groups, a window without rows is 0.
    for (const { key, value } of values.length === 0 && !grouped ? [{ key: '', value: 0 }] : values) {
      const rows = groups.get(key) ?? { key, at: [], values: [] }
      groups.set(key, rows)
      rows.at.push(at)
      rows.values.push(value)
    }
  })
  const [first] = windows
  return {
    count: windows.length,
    length: first ? first.end - first.start : 0,
    grouped,
    groups: [...groups.values()],
    empty,
  }
}

/** Consecutive windows in which a group violates the threshold. */
export interface Violation {
  key: string
  /** Place of the first window, and how many there are. */
  from: number
  count: number
  /** Enough of them to fire. */
  fires: boolean
}

/** Every run of violating windows, as the evaluator counts them. */
export function violations(rule: AlertRule, compacted: CompactWindows): Violation[] {
  const runs: Violation[] = []
  eachViolation(rule, compacted, (run) => runs.push(run))
  return runs
}

/** Number of firings: `backtest(…).firings.length`, without the firings. */
export function countFirings(rule: AlertRule, compacted: CompactWindows): number {
  let count = 0
  eachViolation(rule, compacted, ({ fires }) => {
    if (fires) count++
  })
  return count
}

function eachViolation(rule: AlertRule, compacted: CompactWindows, onRun: (run: Violation) => void): void {
  const { grouped, groups, empty } = compacted
  const zeroViolates = violates(rule, 0)
  if (grouped && zeroViolates) eachRun(rule, { key: '', at: empty, values: empty.map(() => 0) }, 0, onRun)
  // A group without rows counts as 0 while it is firing or pending, for a day.
  const maxGap = grouped && zeroViolates ? Math.ceil(goneAfterMs / compacted.length) - 1 : 0
  for (const rows of groups) eachRun(rule, rows, maxGap, onRun, compacted.count)
}

/** @param maxGap number of windows without rows that a run may span */
function eachRun(
  rule: AlertRule,
  { key, at, values }: Rows,
  maxGap: number,
  onRun: (run: Violation) => void,
  end = 0,
): void {
  const needed = rule.numConsecutiveWindows ?? 1
  let from = -1
  let last = -1
  const close = (next: number) => {
    if (from < 0) return
    const count = last + 1 + Math.min(maxGap, next - last - 1) - from
    onRun({ key, from, count, fires: count >= needed })
    from = -1
  }
  for (let index = 0; index < at.length;) {
    const place = at[index] ?? 0
    let violated = false
    // If a group has several rows in a window, one that violates the threshold counts.
    for (; at[index] === place; index++) violated ||= violates(rule, values[index] ?? 0)
    if (from >= 0 && place - last - 1 > maxGap) close(place)
    if (!violated) {
      close(place)
      continue
    }
    if (from < 0) from = place
    last = place
  }
  close(Math.max(end, last + 1))
}
