import { connectionsQuery } from '#console/api/connections.ts'
import { pageReads } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import type { Arrival } from '#console/shell/routeData.ts'
import { SourceQueryPage } from '#console/charting/sources/SourceQueryPage.tsx'
import { offeredSources } from '#console/charting/sources/sourcesQuery.ts'
import { parseSearch } from '#console/shell/urlState.ts'
import { search } from '#contract/stack/search.ts'
import { sources } from '#contract/stack/sources.ts'
import { SearchView } from './SearchView.tsx'
import { isSearchable, searchUrl, sourceOf, startedSearch } from './query/state.ts'
import { histogramQuery } from './query/useCounts.ts'
import { rowsQuery } from './query/useSearchRows.ts'

export const reads = pageReads(sources.list)

export function prefetch({ connectionId = '' }: Record<string, string>, { search: url, entered }: Arrival): void {
  // The page repeats a failed request, and shows its error.
  if (entered) prefetchResult(connectionId, url).catch(() => {})
}

/** Sends the requests of a URL as soon as the sources are known: the page is drawn while the engine works. */
async function prefetchResult(connectionId: string, url: string): Promise<void> {
  const found = await offeredSources(connectionId, 'search', search.query)
  const asked = searchUrl.parse(parseSearch(url))
  const source = found && sourceOf(asked, found)
  const connection = (await queryClient.ensureQueryData(connectionsQuery)).find(({ id }) => id === connectionId)
  if (!source || !connection) return
  const state = startedSearch(asked, connection, source)
  await Promise.all([
    queryClient.prefetchInfiniteQuery(rowsQuery(connectionId, state, source)),
    queryClient.prefetchQuery(histogramQuery(connectionId, state, source)),
  ])
}

/** The page that searches one source: its condition, a histogram of the matching rows, and the rows. */
export default function SearchPage() {
  return (
    <SourceQueryPage
      title="Search"
      page="search"
      lead="Rows of logs and traces."
      // Placeholders for the condition, the histogram and the rows.
      panels={[46, 100, 560]}
      resource="search"
      endpoint={search.query}
      isUsable={isSearchable}
      empty={{
        title: 'No sources to search',
        text: 'The search shows rows of logs and traces. This deployment has no such source.',
      }}
    >
      {(connection, all) => <SearchView connection={connection} sources={all} />}
    </SourceQueryPage>
  )
}
