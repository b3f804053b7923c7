/** Differences from the baseline, where comparing costs little. */
import type { Comparison, ConnectionState } from '#contract/environments.ts'

/** Records of a connection up to which it is compared without being asked for: both sides are in memory by then. */
const maxRecords = 300

/** Whether a comparison with what was read is cheap. */
export function isComparable(state: ConnectionState | undefined): boolean {
  if (!state || state.problem !== undefined) return false
  return Object.values(state.counts).reduce((sum, count) => sum + count, 0) <= maxRecords
}

export interface Drift {
  differences: number
  notComparable: number
}

export function driftOf({ rows }: Pick<Comparison, 'rows'>): Drift {
  const different: readonly string[] = ['differs', 'missing', 'onlyHere']
  return {
    differences: rows.filter(({ state }) => different.includes(state)).length,
    notComparable: rows.filter(({ state }) => state === 'unknown').length,
  }
}
