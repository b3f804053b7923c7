/** All connections side by side: what each has, what differs from a baseline, and names of records of all of them. */
import { queryOptions } from '@tanstack/react-query'
import { environmentPaths, historyPaths } from '#contract/environmentPaths.ts'
import type {
  ComparedKind,
  Comparison,
  ConnectionState,
  FieldComparisonView,
  MatchInput,
  RecordSearch,
} from '#contract/environments.ts'
import type { ChangePage } from '#contract/history.ts'
import { fillPath } from '#contract/kernel.ts'
import { connectionsQuery } from '../connections.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

const key = 'environments'
/** Milliseconds for which what was read is shown again without a request. The gateway keeps it a little longer. */
const freshFor = 30_000

const withQuery = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`

export const connectionStateQuery = (connectionId: string) =>
  queryOptions({
    queryKey: [key, 'state', connectionId],
    queryFn: ({ signal, queryKey }) => {
      const path = fillPath(environmentPaths.connectionState, { connectionId })
      // A refresh of a state that is already shown gives way to reads that a person waits for.
      const isKnown = queryClient.getQueryData(queryKey) !== undefined
      return send<ConnectionState>(isKnown ? withQuery(path, { background: '1' }) : path, { signal })
    },
    staleTime: freshFor,
    retry: false,
  })

/** Begins to read the list of connections and the state of each. A page that shows them says why one could not be read. */
export async function prefetchConnectionStates(): Promise<void> {
  await queryClient.prefetchQuery(connectionsQuery)
  const connections = queryClient.getQueryData(connectionsQuery.queryKey) ?? []
  for (const { id } of connections) void queryClient.prefetchQuery(connectionStateQuery(id))
}

/** Reads a connection again, whatever is known of it. */
export async function readConnection(connectionId: string): Promise<void> {
  const path = withQuery(fillPath(environmentPaths.connectionState, { connectionId }), { fresh: '1' })
  await queryClient.fetchQuery({
    ...connectionStateQuery(connectionId),
    queryFn: ({ signal }) => send<ConnectionState>(path, { signal }),
    staleTime: 0,
  })
}

interface Pair {
  connectionId: string
  baseline: string
}

/** @param read when both were read: with other records, it is another comparison */
export const comparisonQuery = ({ connectionId, baseline }: Pair, read: string) =>
  queryOptions({
    queryKey: [key, 'comparison', connectionId, baseline, read],
    queryFn: ({ signal }) =>
      send<Comparison>(withQuery(fillPath(environmentPaths.comparison, { connectionId }), { baseline }), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** The comparison that was read last, also with older records. */
export function lastComparison({ connectionId, baseline }: Pair): Comparison | undefined {
  const queryKey = [key, 'comparison', connectionId, baseline]
  const kept = queryClient.getQueryCache().findAll({
    queryKey,
    // Longer keys are of the fields of one record.
    predicate: (one) => one.queryKey.length === queryKey.length + 1 && one.state.data !== undefined,
  })
  const last = kept.toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt).at(-1)
  return last && queryClient.getQueryData<Comparison>(last.queryKey)
}

export const comparedFieldsQuery = ({ connectionId, baseline }: Pair, kind: ComparedKind, name: string, read: string) =>
  queryOptions({
    queryKey: [key, 'comparison', connectionId, baseline, read, kind, name],
    queryFn: ({ signal }) =>
      send<FieldComparisonView>(
        withQuery(fillPath(environmentPaths.comparedFields, { connectionId }), { baseline, kind, name }),
        { signal },
      ),
    retry: false,
  })

/** From now on, the two records are compared, whatever they are called. */
export async function matchRecords(input: MatchInput): Promise<void> {
  await send(environmentPaths.recordMatches, { method: 'POST', body: input })
  await queryClient.invalidateQueries({ queryKey: [key, 'comparison'] })
}

/** The record is matched by its own name again. */
export async function unmatchRecord(record: { kind: ComparedKind; connectionId: string; id: string }): Promise<void> {
  await send(environmentPaths.recordMatches, { method: 'DELETE', body: record })
  await queryClient.invalidateQueries({ queryKey: [key, 'comparison'] })
}

/** Changes that are looked through for one that was made. */
const lastFew = '5'

/** The last change of a connection that was made; null if none is known. */
export const lastChangeQuery = (connectionId: string) =>
  queryOptions({
    queryKey: [key, 'lastChange', connectionId],
    queryFn: async ({ signal }) => {
      const path = withQuery(fillPath(historyPaths.changes, { connectionId }), { limit: lastFew })
      const { items } = await send<ChangePage>(path, { signal })
      return items.find(({ outcome }) => outcome === 'done' || outcome === 'found') ?? null
    },
    retry: false,
  })

export const recordSearchQuery = (text: string) =>
  queryOptions({
    queryKey: [key, 'search', text],
    queryFn: ({ signal }) => send<RecordSearch>(withQuery(environmentPaths.recordSearch, { q: text }), { signal }),
    staleTime: 5_000,
    retry: false,
  })
