/** The last windows of alerts: one read for each row in sight, few at a time, behind everything else. */
import { useQuery, type QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call } from '#console/api/call.ts'
import { originOf } from '#console/api/offers/offers.ts'
import { useFeatureAnswer } from '#console/api/offers/useFeatureOffer.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { z } from 'zod'

/** Enough for the strip, and for most last changes. */
const windowsRead = 60
/** Reads at a time: the rest waits here, and rows that leave the screen cancel theirs. */
const atATime = 2
/** Milliseconds between two reads of one alert while its state stays the same and the page is visible. */
const pollInterval = 5 * 60_000
/** Milliseconds until a read that failed, or found no window yet, is repeated. */
const retryAfter = 30_000

const resource = 'alertStrips'
/** A key of its own, not one of the resource: a saved alert does not read all strips again. */
const keyOf = (connectionId: string, { id, state }: Alert): QueryKey => [connectionId, resource, id, state ?? '']

/** Whether the deployment tells the last windows of alerts, in its list or by the operation for it. */
export function useHasHistory(connection: { id: string }, rows: readonly Alert[]): boolean {
  const offered = useReadsWindows(connection)
  return offered || rows.some((alert) => includedStates(alert) !== undefined)
}

/** The last windows of an alert in sight. A new state reads them again. */
export function useRecentStates(
  connectionId: string,
  alert: Alert,
): { states?: RecentStates | undefined; failed: boolean } {
  const included = includedStates(alert)
  const offered = useReadsWindows({ id: connectionId })
  const { data, isError } = useQuery({
    queryKey: keyOf(connectionId, alert),
    enabled: offered && included === undefined,
    staleTime: pollInterval,
    queryFn: ({ signal }) =>
      inTurn(signal, async () => {
        const input = { params: { alertId: alert.id }, query: { limit: windowsRead } }
        const { items, hasMore } = await call(connectionId, alerts.evaluations, input, {
          signal,
          priority: 'background',
        })
        return recentStates(items, hasMore)
      }),
    // After the read, whose type it has.
    refetchInterval: ({ state }) =>
      state.status === 'error' || state.data?.windows.length === 0 ? retryAfter : pollInterval,
  })
  return { states: included ?? data, failed: isError }
}

/** Not where each read is a call of a tool: that of the page of one alert is enough. */
function useReadsWindows(connection: { id: string }): boolean {
  const answer = useFeatureAnswer(connection, alerts.evaluations)
  return answer !== 'notOffered' && originOf(answer) === undefined
}

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  if (running >= atATime) await new Promise<void>((go) => waiting.push(go))
  running += 1
  try {
    signal.throwIfAborted()
    return await task()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

/** When the state of an alert last changed, from what is cached: for sorting. Undefined while it is not known. */
export function cachedChange(connectionId: string, alert: Alert): string | undefined {
  const states = includedStates(alert) ?? queryClient.getQueryData<RecentStates>(keyOf(connectionId, alert))
  return states && lastChange(states)?.at
}

/** A number that changes when more of the windows are read, so that a sort by the last change includes them. */
export function useReadCount(connectionId: string): number {
  const count = () =>
    queryClient
      .getQueryCache()
      .findAll({ queryKey: [connectionId, resource], predicate: ({ state }) => state.data !== undefined }).length
  // The second one is for the outline, which is drawn at build.
  return useSyncExternalStore(subscribe, count, count)
}

const subscribe = (changed: () => void) =>
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[1] === resource) changed()
  })

/** `empty`: no row matched, so that the window counts as 0. `unread`: the window could not be read. */
type RecentState = 'firing' | 'pending' | 'ok' | 'empty' | 'unread'

interface RecentWindow {
  /** The end of the window, ISO text. */
  end: string
  state: RecentState
}

interface RecentStates {
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
