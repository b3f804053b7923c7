/** The memory of an evaluation of a group until the next one. */

/** The values of a group by column, as text; null is NULL, which is not the empty text. */
export type Group = Readonly<Record<string, string | null>>

export type ActiveState = 'ALERT' | 'PENDING'

/**
 * A group of an alert that is firing or pending, or whose recovery was not sent yet because of a silence. Groups that are
 * OK are not remembered. An alert without groups has one group with the key `''`.
 */
export interface GroupState {
  /** Names and values, such as `service:checkout`; empty for an alert without groups. */
  key: string
  group: Group | null
  state: ActiveState | 'OK'
  /** Number of consecutive windows that violated the threshold. */
  streak: number
  /** The last evaluated window, epoch milliseconds. */
  start: number
  end: number
  /** The value of that window. */
  value: number
  /** End of the last window in which the group had rows. */
  rowsAt: number
  /** Whether receivers know it as firing. */
  notified: boolean
  /** End of the window that was last sent. */
  notifiedEnd: number | null
  /** Whether it was silenced at the last evaluation. The stored name must not change. */
  muted: boolean
  /** Windows after the last evaluated one were skipped, so the state of the group since then is unknown. */
  outdated?: boolean
}

/** The state of an alert with these groups. */
export function stateOfGroups(groups: Iterable<Pick<GroupState, 'state'>>): ActiveState | 'OK' {
  let state: ActiveState | 'OK' = 'OK'
  for (const group of groups) {
    if (group.state === 'ALERT') return 'ALERT'
    if (group.state === 'PENDING') state = 'PENDING'
  }
  return state
}

/** Groups after the timeline skipped so many milliseconds: their times move along, so that nothing seems to last longer. */
export function groupsAfterTimeSkip(groups: readonly GroupState[], skipped: number): GroupState[] {
  return groups.map((group) => ({
    ...group,
    rowsAt: group.rowsAt + skipped,
    notifiedEnd: group.notifiedEnd === null ? null : group.notifiedEnd + skipped,
  }))
}

/** Groups after the clock was set back to `now`: nothing that they remember lies ahead of it. */
export function groupsAfterClockSetBack(groups: readonly GroupState[], now: number): GroupState[] {
  return groups.map((group) => {
    const ahead = Math.max(0, group.end - now)
    return {
      ...group,
      start: group.start - ahead,
      end: group.end - ahead,
      rowsAt: Math.min(group.rowsAt, now),
      notifiedEnd: group.notifiedEnd === null ? null : Math.min(group.notifiedEnd, now),
    }
  })
}
