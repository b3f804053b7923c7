import { useQuery } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import { connectionsQuery } from '#console/api/connections.ts'
import { isOffered, recordOffer, useOffer } from '#console/api/offers.ts'
import { q, readAhead } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import type { Arrival } from '#console/shell/routeData.ts'
import { parseSearch } from '#console/shell/urlState.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { search } from '#contract/search.ts'
import { sources } from '#contract/sources.ts'
import { SearchView } from './SearchView.tsx'
import { isSearchable, searchUrl, sourceOf } from './query/state.ts'
import { histogramQuery } from './query/useCounts.ts'
import { rowsQuery } from './query/useSearchRows.ts'

export function reads({ connectionId = '' }: Record<string, string>, { search: url, entered }: Arrival): void {
  readAhead(connectionId, sources.list, {})
  // The page repeats a failed request, and shows its error.
  if (entered) prefetchResult(connectionId, url).catch(() => {})
}

/** Sends the requests of a URL as soon as the sources are known: the page is drawn while the engine works. */
async function prefetchResult(connectionId: string, url: string): Promise<void> {
  const connection = (await queryClient.ensureQueryData(connectionsQuery)).find(({ id }) => id === connectionId)
  if (!connection || !isOffered(connection, 'search', search.query.variants)) return
  const found = await queryClient.fetchQuery({ ...q(connectionId, sources.list, {}), staleTime: 60_000 })
  const state = searchUrl.parse(parseSearch(url))
  const source = sourceOf(state, found)
  if (!source) return
  await Promise.all([
    queryClient.prefetchInfiniteQuery(rowsQuery(connectionId, state, source)),
    queryClient.prefetchQuery(histogramQuery(connectionId, state, source)),
  ])
}

/** Rows of logs and traces. */
export default function SearchPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'search', search.query.variants)
  const { data, error, refetch } = useQuery({
    ...q(connection.id, sources.list, {}),
    enabled: offered,
    staleTime: 60_000,
  })
  if (!offered) {
    return (
      <Page title="Search">
        <NotOffered
          reason={`${reason} Open the search on an open-source connection instead.`}
          onTryAnyway={() => recordOffer(connection.id, search.query, 'offered')}
        />
      </Page>
    )
  }
  if (data?.some(isSearchable)) return <SearchView connection={connection} sources={data} />
  return (
    <Page title="Search">
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {data && (
        <EmptyState
          icon={Database}
          title="No sources to search"
          action={<LinkButton to={paths.sources(connection.id)}>View sources</LinkButton>}
        >
          The search shows rows of logs and traces. This deployment has no such source.
        </EmptyState>
      )}
    </Page>
  )
}
