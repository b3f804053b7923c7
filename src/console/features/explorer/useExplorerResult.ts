/** The result of the explorer as it is shown: its lines, and what can be done with them. */
import { useDeferredValue, useMemo, useState } from 'react'
import { useMetricUnits } from '#console/charting/useMetricUnits.ts'
import type { ChartEvents } from '#console/ui/series/chartEvents.ts'
import type { Series } from '#console/ui/series/series.ts'
import { sameRange } from '#console/ui/time/presets.ts'
import { absoluteRange, type TimeRange } from '#console/ui/time/range.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Span } from '#domain/time/span.ts'
import { comparisonName } from './comparison/comparing.ts'
import { rankedGroups, topGroups } from './comparison/topGroups.ts'
import { earlier, namesOf, seriesOf } from './lines.ts'
import { withOverlay } from './overlay.ts'
import { addsUp, metricSourceOf, unitsOf } from './query.ts'
import type { ExplorerState } from './state.ts'
import type { Explorer } from './useExplorer.ts'
import type { ExplorerData, useExplorerData } from './useExplorerData.ts'
import { type ExplorerExplanation, useExplorerEvents, useExplorerExplain } from './useExplorerEvents.ts'
import { type Overlay, useOverlay } from './useOverlay.ts'

interface ResultLines {
  /** With those of the compared range and of the other connection. */
  lines: Series[]
  /** The series of the largest groups, and the number of the other groups. */
  top: ReturnType<typeof topGroups>
  units: ReturnType<typeof unitsOf>
  overlay: Overlay | null
}

interface ResultZoom {
  zoom: (span: Span) => void
  /** Back to the range before; undefined if another one was selected since. */
  resetZoom: (() => void) | undefined
}

export interface ShownResult extends ResultLines, ResultZoom, ExplorerExplanation {
  connection: Connection
  explorer: Explorer
  /** The series and their groups. */
  title: string
  data: ExplorerData | undefined
  /** Whether the chart does not show the newest result yet. */
  isDrawing: boolean
  /** Whether the chart shows the result of an earlier query, or not the newest one yet. */
  isStale: boolean
  events: ChartEvents
}

export function useExplorerResult(
  connection: Connection,
  explorer: Explorer,
  sources: readonly Source[],
  query: ReturnType<typeof useExplorerData>,
): ShownResult {
  // Drawn in pieces: the page responds while a large chart is drawn.
  const data = useDeferredValue(query.data)
  const isDrawing = data !== query.data
  const zoom = useZoom(explorer)
  const lines = useResultLines(connection, explorer.state, sources, data)
  const events = useExplorerEvents(connection.id, explorer.state, sources)
  const explanation = useExplorerExplain(connection.id, explorer, sources, data)
  const isStale = query.isPlaceholderData || isDrawing
  const title = titleOf(explorer.state)
  return { connection, explorer, title, data, isDrawing, isStale, events, ...lines, ...zoom, ...explanation }
}

/** Zooms into a part of the range. */
function useZoom({ state, apply }: Explorer): ResultZoom {
  const [zoomed, setZoomed] = useState<{ from: TimeRange; to: TimeRange } | null>(null)
  // Only for the zoomed range: another one may have been selected since.
  const zoomedFrom = zoomed && sameRange(zoomed.to, state) ? zoomed.from : null
  const zoom = (span: Span) => {
    const to = absoluteRange(span)
    setZoomed({ from: zoomedFrom ?? { from: state.from, to: state.to }, to })
    apply(to)
  }
  return { zoom, resetZoom: zoomedFrom ? () => apply(zoomedFrom) : undefined }
}

function useResultLines(
  connection: Connection,
  state: ExplorerState,
  sources: readonly Source[],
  data: ExplorerData | undefined,
): ResultLines {
  const { series, formula, empty } = state
  const metricUnits = useMetricUnits(connection.id, metricSourceOf(state, sources))
  const units = useMemo(
    () => unitsOf({ series, formula, unit: state.unit }, sources, metricUnits),
    [series, formula, state.unit, sources, metricUnits],
  )
  const overlay = useOverlay(connection, state, sources, data)
  const own = useMemo(
    () => (data ? linesOf(data, { series, formula, units, empty }, state.compare) : []),
    [data, series, formula, units, empty, state.compare],
  )
  const otherPoints = overlay?.points
  const names = { own: connection.name, other: overlay?.connection?.name ?? '' }
  const lines = useMemo(
    () =>
      otherPoints
        ? withOverlay(own, seriesOf(otherPoints, { series, formula, units, empty }), {
            own: names.own,
            other: names.other,
          })
        : own,
    [own, otherPoints, series, formula, units, empty, names.own, names.other],
  )
  const ranked = data?.request.query.topGroups !== undefined
  const top = useMemo(
    () => (ranked ? rankedGroups(lines, state.top) : topGroups(lines, state.top, addsUp({ formula, series }))),
    [ranked, lines, state.top, formula, series],
  )
  return { lines, top, units, overlay }
}

function linesOf(
  { points, previous, request }: ExplorerData,
  options: Parameters<typeof seriesOf>[1],
  compare: string,
) {
  const lines = seriesOf(points, options)
  if (!previous) return lines
  return [...lines, ...earlier(seriesOf(previous, options), request, comparisonName(compare).toLowerCase())]
}

function titleOf({ series, groupBy, formula }: ExplorerState): string {
  const what = formula.trim() || namesOf(series).join(', ')
  return groupBy.length > 0 ? `${what} by ${groupBy.join(', ')}` : what
}
