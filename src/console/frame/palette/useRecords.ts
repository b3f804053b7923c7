/** The records that the palette finds: those of a connection, the data pipes that were read, and the records of other connections. */
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { alertName, type Names } from '#console/usages/alertNames.ts'
import { savedStatementsQuery } from '#console/api/gateway/savedStatements.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { alerts } from '#contract/stack/alerts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { dashboards, dashboardSummaries } from '#contract/stack/dashboards/dashboards.ts'
import { savedSearches } from '#contract/stack/savedSearches.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { recordSearchQuery } from '#console/api/gateway/environments.ts'
import { useSettled } from '#console/ui/useSettled.ts'
import type { RecordSearch } from '#contract/console/environments.ts'

/** Milliseconds for which records are cached, so that opening the palette does not use up the rate limit. */
const freshFor = 60_000
const options = { staleTime: freshFor, retry: false }

interface NamedRecord {
  id: string
  kind: 'Dashboard' | 'Alert' | 'Statement'
  name: string
  to: string
  search?: Record<string, string>
}

/** Empty until they are read, without a connection, and where they cannot be read. */
export function useRecords(connection: Connection | undefined): NamedRecord[] {
  const id = connection?.id ?? ''
  const enabled = connection !== undefined
  const boards = useQuery({ ...q(id, dashboardSummaries, {}, { priority: 'background' }), ...options, enabled })
  const watches = useQuery({ ...q(id, alerts.list, {}, { priority: 'background' }), ...options, enabled })
  const statements = useQuery({
    ...savedStatementsQuery(id),
    ...options,
    enabled: enabled && connection.sqlRefused === undefined,
  })
  const { offered } = useOffer(connection, 'savedSearches', savedSearches.list.variants)
  const searches = useQuery({
    ...q(id, savedSearches.list, {}, { priority: 'background' }),
    ...options,
    // Other alerts are named without it, and without whole dashboards.
    enabled: enabled && offered && watches.data?.some(({ name, savedSearchId }) => !name && savedSearchId) === true,
  })
  const tiled = useQuery({
    ...q(id, dashboards.list, {}, { priority: 'background' }),
    ...options,
    enabled: enabled && watches.data?.some(({ name, dashboardId }) => !name && dashboardId) === true,
  })
  const names: Names = {
    dashboards: new Map(tiled.data?.map((board) => [board.id, board])),
    savedSearches: searches.data && new Map(searches.data.map((search) => [search.id, search])),
    webhooks: undefined,
  }
  return [
    ...(boards.data ?? []).map((board): NamedRecord => ({
      id: board.id,
      kind: 'Dashboard',
      name: board.name || 'Untitled dashboard',
      to: paths.dashboard(id, board.id),
    })),
    ...(watches.data ?? []).map((watch): NamedRecord => ({
      id: watch.id,
      kind: 'Alert',
      name: alertName(watch, names),
      to: paths.alert(id, watch.id),
    })),
    ...(statements.data ?? []).map((statement): NamedRecord => ({
      id: statement.id,
      kind: 'Statement',
      name: statement.name,
      to: paths.sql(id),
      search: { saved: statement.id },
    })),
  ]
}

interface KnownPipe {
  connection: Connection
  serviceId: string
  pipe: Pipe
}

/** The pipes of all connections that pages have read, in the order of the connections. Reads none itself. */
export function knownPipes(connections: readonly Connection[]): KnownPipe[] {
  const { resource, verb } = pipes.list
  return connections.flatMap((connection) =>
    queryClient
      .getQueriesData<Pipe[]>({ queryKey: [connection.id, resource, verb] })
      .flatMap(([[, , , input], list = []]) => {
        const { params } = input as { params: { serviceId: string } } // the input of the endpoint
        return list.map((pipe) => ({ connection, serviceId: params.serviceId, pipe }))
      }),
  )
}

type FoundRecord = RecordSearch['records'][number] & { connection: Connection }

/** Letters that are needed: one would find almost everything. */
const minLetters = 2
/** Milliseconds of rest before a search: the server looks through names in its memory. */
const pause = 30
/** Milliseconds between searches while the server still reads names. */
const again = 1_000

/**
 * Records of the other connections, whose names the console's own server knows. Empty until something is found.
 * @param current whose records the palette knows already
 */
export function useOtherRecords(
  query: string,
  connections: readonly Connection[],
  current: Connection | undefined,
): FoundRecord[] {
  const text = useSettled(query.trim(), pause)
  const others = connections.filter(({ id }) => id !== current?.id)
  const { data } = useQuery({
    ...recordSearchQuery(text, current?.id),
    enabled: text.length >= minLetters && others.length > 0,
    // The last results stay while the next ones arrive; those that do not fit are left out by the palette.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.reading.length ?? 0) > 0 ? again : false),
  })
  if (text.length < minLetters) return []
  const byId = new Map(others.map((other) => [other.id, other]))
  return (data?.records ?? []).flatMap((record) => {
    const connection = byId.get(record.connectionId)
    return connection ? [{ ...record, connection }] : []
  })
}
