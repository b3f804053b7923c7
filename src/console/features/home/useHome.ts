/**
 * The state of each connection on Home. Each is read on its own: a slow or dead one delays and empties nothing but its own line.
 *
 * Home sends no chart query. It reads what other pages read: inventories, alerts where one fires, services and pipes behind
 * all other requests (of up to eight services), and the last changes. Connections of more than 300 records are not compared.
 * Unknown values are shown as unknown, and keeps the page from saying that all is quiet.
 */
import { useQueries } from '@tanstack/react-query'
import { formatError } from '#console/api/errors.ts'
import { comparisonQuery, connectionStateQuery, lastComparison } from '#console/api/gateway/environments.ts'
import { recentChangesQuery } from '#console/api/gateway/recentChanges.ts'
import { q } from '#console/api/queries.ts'
import { alerts as alertEndpoints, type Alert } from '#contract/alerts.ts'
import type { Connection } from '#contract/connections.ts'
import type { Comparison, ConnectionState } from '#contract/environments.ts'
import type { Change } from '#contract/history.ts'
import { isComparable } from './drift.ts'
import type { Troubles } from './troubles.ts'

export interface HomeEnvironment {
  connection: Connection
  state: ConnectionState | undefined
  /** Why nothing could be read; undefined while it is being read. */
  problem: string | undefined
  /** Those that fire; undefined until they are known. */
  firing: readonly Alert[] | undefined
  /** Why it is not known which alerts fire. */
  firingUnknown: string | undefined
  /** Undefined until the reading of them has begun. */
  troubles: Troubles | undefined
  /** Against the baseline, where it is known without much work. */
  comparison: Comparison | undefined
  isComparing: boolean
  /** The last ones; undefined until they are known, null where they cannot be read. */
  changes: readonly Change[] | null | undefined
}

/** Milliseconds between two readings while the page is open. */
export const interval = 60_000

/** The same for inventories: they are many requests, and only their counts are shown. */
const inventoryInterval = 5 * interval

/** The baseline of other connections: production, or the first, as on the page of environments. */
export const baselineOf = (connections: readonly Connection[]) =>
  connections.find(({ stage }) => stage === 'production') ?? connections[0]

/** @param troubles in the order of the connections, as `TroublesReader` reads them */
export function useHome(connections: readonly Connection[], troubles: readonly Troubles[]): HomeEnvironment[] {
  const baselineId = baselineOf(connections)?.id ?? ''
  const states = useQueries({
    queries: connections.map(({ id }) => ({
      ...connectionStateQuery(id),
      // One that could not be reached is tried again soon.
      refetchInterval: ({
        state: { data, error },
      }: {
        state: { data: ConnectionState | undefined; error: Error | null }
      }) => (error !== null || data?.problem !== undefined ? interval : inventoryInterval),
    })),
  })
  const lists = useQueries({
    queries: connections.map(({ id }, at) => ({
      // Read more often than the inventory, also where none fires: the navigation counts this list too.
      ...q(id, alertEndpoints.list, {}, states[at]?.data?.firing === 0 ? { priority: 'background' } : {}),
      enabled: states[at]?.data?.firing !== undefined,
      refetchInterval: interval,
      retry: false,
    })),
  })
  const changes = useQueries({
    queries: connections.map(({ id }) => ({ ...recentChangesQuery(id), refetchInterval: interval })),
  })
  const baseline = states[connections.findIndex(({ id }) => id === baselineId)]?.data
  const isCompared = (id: string, at: number) =>
    id !== baselineId && isComparable(baseline) && isComparable(states[at]?.data)
  const comparisons = useQueries({
    queries: connections.map(({ id }, at) => ({
      ...comparisonQuery(
        { connectionId: id, baseline: baselineId },
        `${baseline?.readAt ?? ''} ${states[at]?.data?.readAt ?? ''}`,
      ),
      // With other records it is another comparison: until it is there, the last one stays.
      placeholderData: () =>
        isCompared(id, at) ? lastComparison({ connectionId: id, baseline: baselineId }) : undefined,
      enabled: isCompared(id, at),
    })),
  })
  return connections.map((connection, at): HomeEnvironment => {
    const { data: state, error } = states[at] ?? {}
    const list = lists[at]
    const problem = state?.problem ?? (error ? formatError(error).sentence : undefined)
    const known = knownFiring(state, states[at]?.dataUpdatedAt ?? 0, list)
    return {
      connection,
      state,
      problem,
      firing: problem === undefined ? known.firing : undefined,
      firingUnknown: problem ?? known.reason,
      troubles: troubles[at],
      comparison: comparisons[at]?.data,
      isComparing: comparisons[at]?.fetchStatus === 'fetching',
      changes: changes[at]?.isError ? null : changes[at]?.data,
    }
  })
}

interface AlertList {
  data: readonly Alert[] | undefined
  error: Error | null
  /** Epoch milliseconds. */
  dataUpdatedAt: number
  errorUpdatedAt: number
}

/**
 * Those that fire, from what was read last: the inventory or the list.
 * @param stateAt when the inventory was read, epoch milliseconds
 */
export function knownFiring(
  state: Pick<ConnectionState, 'firing'> | undefined,
  stateAt: number,
  list: AlertList | undefined,
): { firing?: readonly Alert[]; reason?: string } {
  if (!state) return {}
  if (state.firing === undefined) return { reason: 'The alerts could not be read.' }
  if (list?.error && list.errorUpdatedAt > stateAt) return { reason: formatError(list.error).sentence }
  if (state.firing === 0 && !(list?.data && list.dataUpdatedAt > stateAt)) return { firing: [] }
  if (list?.data) return { firing: list.data.filter((alert) => alert.state === 'ALERT') }
  return list?.error ? { reason: formatError(list.error).sentence } : {}
}
