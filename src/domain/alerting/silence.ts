/** Silences: times in which an alert, or one group of it, sends nothing. Evaluation continues. */

export interface Silence {
  /** The group that is silenced; absent for the whole alert. */
  group?: string | null | undefined
  /** Epoch milliseconds. */
  until: number
}

/** Whether what a group sends at this time is suppressed. */
export function isSilenced(silences: readonly Silence[], groupKey: string, now: number): boolean {
  return silences.some(({ group, until }) => now < until && (group == null || group === groupKey))
}
