import { pageReads } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import type { Arrival } from '#console/shell/routeData.ts'
import { SourceQueryPage } from '#console/charting/sources/SourceQueryPage.tsx'
import { offeredSources } from '#console/charting/sources/sourcesQuery.ts'
import { parseSearch } from '#console/shell/urlState.ts'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { charts } from '#contract/stack/charts.ts'
import { sources } from '#contract/stack/sources.ts'
import { Explorer } from './Explorer.tsx'
import { isReady } from './blocker.ts'
import { isChartable, withDefaults } from './query.ts'
import { readExplorer } from './state.ts'
import { explorerQuery } from './useExplorerData.ts'

export const reads = pageReads(sources.list)

export function prefetch({ connectionId = '' }: Record<string, string>, { search, entered }: Arrival): void {
  Chart.preload()
  // A pointer over a link is not worth a query of the engine.
  // The page repeats a failed request, and shows its error.
  if (entered) prefetchResult(connectionId, search).catch(() => {})
}

/** Sends the query of a URL as soon as the sources are known: the page is drawn while the engine works. */
async function prefetchResult(connectionId: string, search: string): Promise<void> {
  const found = await offeredSources(connectionId, 'charts', charts.query)
  if (!found) return
  const state = withDefaults(readExplorer(parseSearch(search)).state, found)
  if (found.some(isChartable) && isReady(state, found)) {
    await queryClient.prefetchQuery(explorerQuery(connectionId, state, found))
  }
}

/** Any series of any source over time. */
export default function ExplorerPage() {
  return (
    <SourceQueryPage
      title="Explorer"
      page="explorer"
      // Placeholders for the form of the series and the chart.
      panels={[192, 520]}
      resource="charts"
      endpoint={charts.query}
      isUsable={isChartable}
      empty={{
        title: 'No sources to query',
        text: 'The explorer charts log, trace and metric sources. This deployment has none.',
      }}
    >
      {(connection, all) => <Explorer connection={connection} sources={all} />}
    </SourceQueryPage>
  )
}
