/** All connections side by side: what each has, what differs from a baseline, and names of records of all of them. */
import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { environmentPaths } from '#contract/console/environmentPaths.ts'
import type { Connection } from '#contract/console/connections.ts'
import type {
  Comparison,
  ComparisonPage,
  ConnectionState,
  FieldComparisonView,
  ListedComparison,
  MatchInput,
  RecordSearch,
  StatePage,
} from '#contract/console/environments.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import { connectionsQuery } from '../connections.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

const key = 'environments'
const comparisonsKey = [key, 'comparisons']
/** Milliseconds after which a page polls: one that opens earlier wants to know what fires now. */
const pollAfter = 50_000

const withQuery = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`

/** The states of all connections, as far as they are known. */
interface ConnectionStates {
  states: Readonly<Record<string, ConnectionState>>
  /** The connections that are being read. */
  reading: readonly string[]
  /** The cursor of the last response. */
  cursor?: string
}

const nothingKnown: ConnectionStates = { states: {}, reading: [] }

/** The baseline of other connections until somebody chooses: production, or the first. */
export const baselineOf = (connections: readonly Connection[]) =>
  connections.find(({ stage }) => stage === 'production') ?? connections[0]

/** The states of the connections of the caller, each compared with the baseline where that is little work. */
export const connectionStatesQuery = (connections: readonly Connection[]) => {
  // With other connections, it is another list.
  const queryKey = [key, 'states', ...connections.map(({ id }) => id)]
  const baseline = baselineOf(connections)?.id
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => {
      const { dataUpdatedAt = 0 } = queryClient.getQueryState(queryKey) ?? {}
      const isPoll = dataUpdatedAt > 0 && Date.now() - dataUpdatedAt >= pollAfter
      return readStates(queryKey, baseline, isPoll ? 'poll' : 'open', signal)
    },
    retry: false,
  })
}

/**
 * Shows what is known at once, and the rest as it arrives: each request waits for what is new since the last one.
 * @param reading what the first request asks to be read
 */
async function readStates(
  queryKey: QueryKey,
  baseline: string | undefined,
  reading: 'open' | 'poll' | 'fresh',
  signal: AbortSignal,
): Promise<ConnectionStates> {
  let known = queryClient.getQueryData<ConnectionStates>(queryKey) ?? nothingKnown
  for (let asked: string = reading; ; asked = 'follow') {
    const query = { reading: asked, ...(baseline && { baseline }), ...(known.cursor && { since: known.cursor }) }
    const page = await send<StatePage>(withQuery(environmentPaths.connectionStates, query), { signal })
    const arrived = Object.fromEntries(page.states.map((state) => [state.connectionId, state]))
    known = { states: { ...known.states, ...arrived }, reading: page.reading, cursor: page.cursor }
    // Comparisons follow what is read again, from the first response on and to the end.
    if (asked !== 'follow' || page.reading.length === 0)
      void queryClient.invalidateQueries({ queryKey: comparisonsKey })
    if (page.reading.length === 0) return known
    queryClient.setQueryData(queryKey, known)
  }
}

/** Begins to read the list of connections and the state of each. A page that shows them says why one could not be read. */
export async function prefetchConnectionStates(): Promise<void> {
  await queryClient.prefetchQuery(connectionsQuery)
  const connections = queryClient.getQueryData(connectionsQuery.queryKey) ?? []
  if (connections.length > 0) void queryClient.prefetchQuery(connectionStatesQuery(connections))
}

/** Reads all connections again, whatever is known of them. */
export async function readConnections(connections: readonly Connection[]): Promise<void> {
  const query = connectionStatesQuery(connections)
  await queryClient.cancelQueries({ queryKey: query.queryKey })
  await queryClient.fetchQuery({
    ...query,
    queryFn: ({ signal }) => readStates(query.queryKey, baselineOf(connections)?.id, 'fresh', signal),
    staleTime: 0,
  })
}

interface Pair {
  connectionId: string
  baseline: string
}

/** How all connections compare with a baseline, as far as it is known. */
interface Comparisons {
  comparisons: Readonly<Record<string, ListedComparison>>
  /** The connections that are being read or compared. */
  comparing: readonly string[]
  /** The cursor of the last response. */
  cursor?: string
}

/** The connections of the caller beside the baseline. */
export const comparisonsQuery = (connections: readonly Connection[], baseline: string) => {
  const queryKey = [...comparisonsKey, baseline, ...connections.map(({ id }) => id)]
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => readComparisons(queryKey, baseline, signal),
    // Thousands of rows that do not change in place: comparing them with the last ones would take longer than drawing.
    structuralSharing: false,
    retry: false,
  })
}

/** Shows what was compared before at once, and the rest as it arrives. */
async function readComparisons(queryKey: QueryKey, baseline: string, signal: AbortSignal): Promise<Comparisons> {
  const path = fillPath(environmentPaths.comparisons, { connectionId: baseline })
  let known = queryClient.getQueryData<Comparisons>(queryKey) ?? { comparisons: {}, comparing: [] }
  for (;;) {
    const page = await send<ComparisonPage>(withQuery(path, known.cursor ? { since: known.cursor } : {}), { signal })
    const arrived = Object.fromEntries(page.comparisons.map((comparison) => [comparison.connectionId, comparison]))
    const { comparing, cursor } = page
    known = { comparisons: { ...known.comparisons, ...arrived }, comparing, cursor }
    if (comparing.length === 0 && !page.isCut) return known
    queryClient.setQueryData(queryKey, known)
  }
}

/** One connection beside the baseline, with all rows. @param read when both were read */
export const comparisonQuery = ({ connectionId, baseline }: Pair, read: string) =>
  queryOptions({
    queryKey: [key, 'comparison', connectionId, baseline, read],
    queryFn: ({ signal }) =>
      send<Comparison>(withQuery(fillPath(environmentPaths.comparison, { connectionId }), { baseline }), { signal }),
    retry: false,
  })

export const comparedFieldsQuery = ({ connectionId, baseline }: Pair, kind: RecordKind, name: string, read: string) =>
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
  await compareAgain()
}

/** The record is matched by its own name again. */
export async function unmatchRecord(record: { kind: RecordKind; connectionId: string; id: string }): Promise<void> {
  await send(environmentPaths.recordMatches, { method: 'DELETE', body: record })
  await compareAgain()
}

async function compareAgain(): Promise<void> {
  const kinds = [comparisonsKey, [key, 'comparison']]
  await Promise.all(kinds.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** @param without a connection whose records are known already */
export const recordSearchQuery = (text: string, without: string | undefined) =>
  queryOptions({
    queryKey: [key, 'search', without, text],
    queryFn: ({ signal }) =>
      send<RecordSearch>(withQuery(environmentPaths.recordSearch, { q: text, ...(without && { without }) }), {
        signal,
      }),
    staleTime: 5_000,
    retry: false,
  })
