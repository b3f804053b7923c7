import { useQuery } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import { connectionsQuery } from '#console/api/connections.ts'
import { isOffered, recordOffer, useOffer } from '#console/api/offers.ts'
import { q, readAhead } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import type { Arrival } from '#console/shell/routeData.ts'
import { parseSearch } from '#console/shell/urlState.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { charts } from '#contract/charts.ts'
import { sources } from '#contract/sources.ts'
import { Explorer } from './Explorer.tsx'
import { isReady } from './blocker.ts'
import { isChartable, withDefaults } from './query.ts'
import { readExplorer } from './state.ts'
import { explorerQuery } from './useExplorerData.ts'

export function reads({ connectionId = '' }: Record<string, string>, { search, entered }: Arrival): void {
  readAhead(connectionId, sources.list, {})
  // A pointer over a link is not worth a query of the engine.
  // The page repeats a failed request, and shows its error.
  if (entered) prefetchResult(connectionId, search).catch(() => {})
}

/** Sends the question of an address as soon as the sources are known: the page is drawn while the engine works. */
async function prefetchResult(connectionId: string, search: string): Promise<void> {
  const connection = (await queryClient.ensureQueryData(connectionsQuery)).find(({ id }) => id === connectionId)
  if (!connection || !isOffered(connection, 'charts', charts.query.variants)) return
  const found = await queryClient.fetchQuery({ ...q(connectionId, sources.list, {}), staleTime: 60_000 })
  const state = withDefaults(readExplorer(parseSearch(search)).state, found)
  if (found.some(isChartable) && isReady(state, found)) {
    await queryClient.prefetchQuery(explorerQuery(connectionId, state, found))
  }
}

/** Any series of any source over time. */
export default function ExplorerPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'charts', charts.query.variants)
  const { data, error, refetch } = useQuery({
    ...q(connection.id, sources.list, {}),
    enabled: offered,
    staleTime: 60_000,
  })
  if (!offered) {
    return (
      <Page title="Explorer">
        <NotOffered
          reason={`${reason} Open the explorer on an open-source connection instead.`}
          onTryAnyway={() => recordOffer(connection.id, charts.query, 'offered')}
        />
      </Page>
    )
  }
  if (data?.some(isChartable)) return <Explorer connection={connection} sources={data} />
  return (
    <Page title="Explorer">
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {data && (
        <EmptyState
          icon={Database}
          title="No sources to query"
          action={<LinkButton to={paths.sources(connection.id)}>View sources</LinkButton>}
        >
          The explorer charts log, trace and metric sources. This deployment has none.
        </EmptyState>
      )}
    </Page>
  )
}
