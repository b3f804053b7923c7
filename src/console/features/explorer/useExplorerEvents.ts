import { useMemo } from 'react'
import { useViewEvents } from '#console/charting/search/useViewEvents.ts'
import { isOthersLine, readLineId } from '#console/charting/series/lineId.ts'
import { eventsLink, searchProblem, type EventsLink } from '#console/charting/search/eventsLink.ts'
import type { ChartEvents } from '#console/ui/series/chartEvents.ts'
import { isComparison, type Series } from '#console/ui/series/series.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Span } from '#domain/time/span.ts'
import { letters, type ExplorerState } from './state.ts'

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
