/** The dashboards, alerts and saved statements of a connection, for the palette. */
import { useQuery } from '@tanstack/react-query'
import { alertName, type Names } from '#console/usages/alertNames.ts'
import { savedStatementsQuery } from '#console/api/gateway/savedStatements.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { alerts } from '#contract/stack/alerts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { savedSearches } from '#contract/stack/savedSearches.ts'

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
  const boards = useQuery({ ...q(id, dashboards.list, {}, { priority: 'background' }), ...options, enabled })
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
    // Other alerts are named without it.
    enabled: enabled && offered && watches.data?.some(({ name, savedSearchId }) => !name && savedSearchId) === true,
  })
  const names: Names = {
    dashboards: new Map(boards.data?.map((board) => [board.id, board])),
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
