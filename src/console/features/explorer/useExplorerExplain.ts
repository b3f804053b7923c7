import { useMemo } from 'react'
import type { ExplainFilters } from '#console/charting/explain/useValueActions.ts'
import { useViewEvents } from '#console/charting/search/useViewEvents.ts'
import { useChartExplain, type ChartExplanation } from '#console/charting/explain/useChartExplain.ts'
import { explainedChart } from '#console/charting/explain/explainedChart.ts'
import type { Source } from '#contract/stack/sources.ts'
import { namesOf } from './lines.ts'
import type { ExplorerState } from './state.ts'
import type { Explorer } from './useExplorer.ts'
import type { ExplorerData } from './useExplorerData.ts'

interface ExplorerExplanation {
  explanation: ChartExplanation
  /** A value filters all series of its source. */
  filters: ExplainFilters
}

/** "Explain this" of the chart of the explorer. */
export function useExplorerExplain(
  connectionId: string,
  { state, apply }: Explorer,
  sources: readonly Source[],
  data: ExplorerData | undefined,
): ExplorerExplanation {
  const { problem: noSearch } = useViewEvents(connectionId, state.tz)
  const query = data?.request.query
  const drawn = state.view === 'chart' ? query : undefined
  const { series } = state
  const chart = useMemo(
    () => drawn && explainedChart({ queries: [drawn], labels: namesOf(series), sources, noSearch }),
    [drawn, series, sources, noSearch],
  )
  const filters: ExplainFilters = {
    noun: 'chart',
    conditionOf: ({ index }) => conditionOf(state.series[index]),
    apply: ({ source }, add) =>
      apply({
        series: state.series.map((item) => {
          const added = item.sourceId === source.id ? add(conditionOf(item)) : null
          return added ? { ...item, where: added.text, whereLanguage: added.language } : item
        }),
      }),
  }
  return { explanation: useChartExplain(chart), filters }
}

function conditionOf(series: ExplorerState['series'][number] | undefined) {
  return { text: series?.where ?? '', language: series?.whereLanguage ?? ('lucene' as const) }
}
