/** The stored part of an evaluated window. */
import type { EvaluatedGroup, WindowValues } from './evaluateWindow.ts'

/** Maximum number of groups that are kept of a window. */
const maxEvaluatedGroups = 50

/** One window of an alert. */
export interface Evaluation {
  /** Epoch milliseconds. */
  start: number
  end: number
  /** `INSUFFICIENT_DATA` for a window that could not be read. */
  state: 'ALERT' | 'PENDING' | 'OK' | 'INSUFFICIENT_DATA'
  /** Number of groups that violated the threshold. */
  counts: number
  /** The value: of the first group in `groups`, for an alert with groups. Null without one. */
  value: number | null
  /** No row matched. The window counts as 0. */
  noRows: boolean
  /** The groups, firing first, then the highest value. Absent for an alert without groups. */
  groups?: EvaluatedGroup[]
  groupsTotal?: number
  /** Something that would have been sent was silenced. */
  silenced?: boolean
}

const rank = { ALERT: 0, PENDING: 1, OK: 2 } as const

/** The evaluation of a window from its groups. */
export function evaluationOf(
  { start, end, values }: WindowValues,
  groups: readonly EvaluatedGroup[],
  grouped: boolean,
) {
  const sorted = groups.toSorted((a, b) => rank[a.state] - rank[b.state] || b.value - a.value)
  const [first] = sorted
  const evaluation: Evaluation = {
    start,
    end,
    state: first?.state ?? 'OK',
    counts: groups.filter(({ state }) => state !== 'OK').length,
    value: first?.value ?? null,
    noRows: values.length === 0,
  }
  if (!grouped) return evaluation
  return { ...evaluation, groups: sorted.slice(0, maxEvaluatedGroups), groupsTotal: sorted.length }
}
