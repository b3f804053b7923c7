/** The actions of the charts of the explorer: to the rows of a point, and the explanation of a part. */
import { useMemo } from 'react'
import { useViewEvents } from '#console/charting/search/useViewEvents.ts'
import { isOthersLine, readLineId } from '#console/charting/series/seriesNames.ts'
import { eventsLink, searchProblem, type EventsLink } from '#console/charting/search/eventsLink.ts'
import type { ChartEvents } from '#console/ui/series/chartEvents.ts'
import { isComparison, type Series } from '#console/ui/series/series.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Span } from '#domain/time/span.ts'
import { letters, type ExplorerState } from './state.ts'
import type { ExplainFilters } from '#console/charting/explanation/useValueActions.ts'
import { useChartExplain, type ChartExplanation } from '#console/charting/explanation/useChartExplain.ts'
import { explainedChart } from '#console/charting/explanation/explainedChart.ts'
import { namesOf } from './lines.ts'
import type { Explorer } from './useExplorer.ts'
import type { ExplorerData } from './useExplorerData.ts'

/** The way from the chart to the events behind it, where the deployment has a search. */
export function useExplorerEvents(connectionId: string, state: ExplorerState, sources: readonly Source[]): ChartEvents {
  const { problem, open } = useViewEvents(connectionId, state.tz)
  return useMemo(() => {
    const linkOf = (line: Series | null, span?: Span) => eventsOf(state, sources, line, span)
    return {
      problemOf: (line) => problem ?? linkOf(line).problem,
      view: (line, span) => open(linkOf(line, span)),
    }
  }, [state, sources, problem, open])
}

/** The rows of one line, or of the first series of logs or traces. A formula is about that series too. */
function eventsOf(state: ExplorerState, sources: readonly Source[], line: Series | null, span?: Span): EventsLink {
  if (line && isComparison(line)) return { problem: 'This line is shown for comparison.' }
  if (line && isOthersLine(line.id)) return { problem: 'This line is of many groups.' }
  const read = line && readLineId(line.id)
  const named = state.series[letters.findIndex((letter) => letter === read?.series)]
  const searchable = state.series.find(({ sourceId }) => searchProblem(sourceId, sources) === undefined)
  const series = named ?? searchable ?? state.series[0]
  if (!series) return { problem: 'There is no series.' }
  const range = span ? absoluteRange(span) : { from: state.from, to: state.to }
  return eventsLink({ series, groupBy: state.groupBy, group: read?.group, ...range }, sources)
}

export interface ExplorerExplanation {
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
