/** The last windows of an alert, as the list shows them. */
import { z } from 'zod'
import type { Alert } from '#contract/stack/alerts.ts'

/** `empty`: no row matched, so that the window counts as 0. `unread`: the window could not be read. */
type RecentState = 'firing' | 'pending' | 'ok' | 'empty' | 'unread'

interface RecentWindow {
  /** The end of the window, ISO text. */
  end: string
  state: RecentState
}

export interface RecentStates {
  /** Newest first. */
  windows: readonly RecentWindow[]
  /** Earlier windows exist, or may exist. */
  hasMore: boolean
}

const historyItem = z.looseObject({ createdAt: z.string(), state: z.string(), noRows: z.boolean().optional() })
type HistoryItem = z.infer<typeof historyItem>

const labels: Record<RecentState, string> = {
  firing: 'firing',
  pending: 'pending',
  ok: 'OK',
  empty: 'OK, no row matched',
  unread: 'not read',
}

export function recentStates(items: readonly HistoryItem[], hasMore: boolean): RecentStates {
  return { windows: items.map((item) => ({ end: item.createdAt, state: stateOf(item) })), hasMore }
}

/** The windows that some deployments include in their lists of alerts; undefined without any. */
export function includedStates(alert: Alert): RecentStates | undefined {
  const items = z.array(historyItem).min(1).safeParse(alert['history']).data
  // The list includes the last ones only.
  return items && recentStates(items, true)
}

/** A state that is not known here counts as not read. */
function stateOf({ state, noRows }: HistoryItem): RecentState {
  if (state === 'ALERT') return 'firing'
  if (state === 'PENDING') return 'pending'
  if (state === 'OK') return noRows ? 'empty' : 'ok'
  return 'unread'
}

/** A change of state as people see it: windows that could not be read leave the state, and rows or none are both OK. */
const settled = (state: RecentState) => (state === 'empty' ? 'ok' : state)

interface LastChange {
  /** ISO text. */
  at: string
  /** It was even earlier: the windows that were read have no change. */
  earlier: boolean
}

/** When the state of the newest window began; undefined if no window was read. */
export function lastChange({ windows, hasMore }: RecentStates): LastChange | undefined {
  const read = windows.filter(({ state }) => state !== 'unread')
  const [newest] = read
  if (!newest) return undefined
  const end = read.findIndex(({ state }) => settled(state) !== settled(newest.state))
  const first = read.at(end === -1 ? -1 : end - 1) ?? newest
  return { at: first.end, earlier: end === -1 && hasMore }
}

/** "Last 3 windows: 2 OK, 1 firing". */
export function formatRecentStates(windows: RecentStates['windows']): string {
  const counts = new Map<RecentState, number>()
  for (const { state } of windows) counts.set(state, (counts.get(state) ?? 0) + 1)
  const parts = [...counts].map(([state, count]) => `${count} ${labels[state]}`)
  return `${windows.length === 1 ? 'Last window' : `Last ${windows.length} windows`}: ${parts.join(', ')}`
}
