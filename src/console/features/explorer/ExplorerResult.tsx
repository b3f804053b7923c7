import { CircleSlash, Rows3, SearchX, SquarePen, Undo2 } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { QueryWait } from '#console/charting/progress/QueryWait.tsx'
import { Chart } from '#console/ui/chart/Chart.tsx'
import type { ChartHandle } from '#console/ui/chart/TimeSeriesChart.tsx'
import { useMetricUnits } from '#console/charting/useMetricUnits.ts'
import { readFromOf } from '#domain/series/chartResponse.ts'
import { otherGroupsIn } from '#console/charting/series/groupValues.ts'
import { ExplainButton, ExplainView } from '#console/charting/explanation/ExplainButton.tsx'
import { usePageActions } from '#console/shell/pageActions.ts'
import { MarkersButton } from '#console/charting/markers/MarkersButton.tsx'
import { useChartMarkers, useMarkerKey } from '#console/charting/markers/useChartMarkers.tsx'
import type { Series } from '#console/ui/series/series.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { absoluteRange, type TimeRange } from '#console/ui/time/range.ts'
import { sameRange } from '#console/ui/time/presets.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Span } from '#domain/time/span.ts'
import { comparisonName } from './comparison/comparing.ts'
import { ExportMenu } from './ExportMenu.tsx'
import { earlier, namesOf, seriesOf } from './lines.ts'
import { rankedGroups, topGroups } from './comparison/topGroups.ts'
import { totalsOf } from './numbers.ts'
import { NumberView } from './NumberView.tsx'
import { withOverlay } from './overlay.ts'
import { OverlayMenu, OverlayNote } from './OverlayNote.tsx'
import { addsUp, chartOf, metricSourceOf, unitsOf } from './query.ts'
import { ResultToolbar } from './ResultToolbar.tsx'
import { SaveMenu } from './SaveMenu.tsx'
import { ShareMenu } from './ShareMenu.tsx'
import type { ExplorerState } from './state.ts'
import type { Explorer } from './useExplorer.ts'
import { explorerQuery, type ExplorerData, type useExplorerData } from './useExplorerData.ts'
import { useOverlay } from './useOverlay.ts'
import { useExplorerEvents, useExplorerExplain } from './useExplorerEvents.ts'
import { counted } from '#domain/text/words.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import * as css from './explorer.module.css'

interface ExplorerResultProps {
  connection: Connection
  explorer: Explorer
  sources: readonly Source[]
  query: ReturnType<typeof useExplorerData>
  /** Something besides the query keeps it from being sent. */
  blocked: boolean
  /** Whether the query is complete, so that it is sent. */
  ready: boolean
}

/**
 * The result: skeleton, error, empty state, or the chart. The previous result stays, dimmed, until the new one
 * arrives.
 */
export function ExplorerResult({ connection, explorer, sources, query, blocked, ready }: ExplorerResultProps) {
  const { state, apply } = explorer
  const { error, isFetching } = query
  // Drawn in pieces: the page responds while a large chart is drawn.
  const data = useDeferredValue(query.data)
  const isDrawing = data !== query.data
  const [zoomed, setZoomed] = useState<{ from: TimeRange; to: TimeRange } | null>(null)
  // Only for the zoomed range: another one may have been selected since.
  const zoomedFrom = zoomed && sameRange(zoomed.to, state) ? zoomed.from : null
  const { series, formula, empty } = state
  const metricUnits = useMetricUnits(connection.id, metricSourceOf(state, sources))
  const units = useMemo(
    () => unitsOf({ series, formula, unit: state.unit }, sources, metricUnits),
    [series, formula, state.unit, sources, metricUnits],
  )
  const chart = useRef<ChartHandle>(null)
  const events = useExplorerEvents(connection.id, state, sources)
  const noEvents = events.problemOf(null)
  const { explanation, filters } = useExplorerExplain(connection.id, explorer, sources, data)
  const panel = useRef<HTMLDivElement>(null)
  usePageActions(
    useMemo(
      () => [
        {
          label: 'Go to chart',
          key: 'c',
          run: () => panel.current?.querySelector<HTMLElement>('[role=application]')?.focus(),
        },
        { label: 'View events', key: 'v', disabled: noEvents, run: () => events.view(null) },
      ],
      [events, noEvents],
    ),
  )
  useMarkerKey()
  const marks = useChartMarkers({ connectionId: connection.id })
  const overlay = useOverlay(connection, state, sources, data)
  const own = useMemo(
    () => (data ? linesOf(data, { series, formula, units, empty }, state.compare) : []),
    [data, series, formula, units, empty, state.compare],
  )
  const otherPoints = overlay?.points
  const names = { here: connection.name, there: overlay?.connection?.name ?? '' }
  const lines = useMemo(
    () =>
      otherPoints
        ? withOverlay(own, seriesOf(otherPoints, { series, formula, units, empty }), {
            own: names.here,
            other: names.there,
          })
        : own,
    [own, otherPoints, series, formula, units, empty, names.here, names.there],
  )

  const ranked = data?.request.query.topGroups !== undefined
  const top = useMemo(
    () => (ranked ? rankedGroups(lines, state.top) : topGroups(lines, state.top, addsUp({ formula, series }))),
    [ranked, lines, state.top, formula, series],
  )
  const otherGroups = data ? otherGroupsIn(data.points) : 0
  const readFrom = data ? readFromOf(data.points) : []

  const zoom = (span: Span) => {
    const to = absoluteRange(span)
    setZoomed({ from: zoomedFrom ?? { from: state.from, to: state.to }, to })
    apply(to)
  }
  const found =
    lines.length === 0 ? 'nothing' : state.view !== 'number' && lines.every(hasNoValues) ? 'no values' : 'lines'
  const reset = () => zoomedFrom && apply(zoomedFrom)
  const failed = error && !isFetching
  const explained = <ExplainView connectionId={connection.id} zone={state.tz} {...{ explanation, filters }} />
  const isStopped = ready && !isFetching && (query.isPending || query.isPlaceholderData)
  return (
    <Panel
      title={titleOf(state)}
      aside={
        <div className={css.resultActions}>
          {zoomedFrom && (
            <Button startIcon={<Undo2 size={14} aria-hidden />} onClick={reset}>
              Reset zoom
            </Button>
          )}
          {data && !failed && (
            <>
              <DisabledReason reason={noEvents}>
                <Button
                  startIcon={<Rows3 size={14} aria-hidden />}
                  disabled={noEvents !== undefined}
                  onClick={() => events.view(null)}
                >
                  View events
                </Button>
              </DisabledReason>
              <ShareMenu connection={connection} explorer={explorer} sources={sources} data={data} />
              <ExportMenu chart={chart} state={state} data={data} lines={lines} />
              <SaveMenu connection={connection} state={state} sources={sources} />
            </>
          )}
        </div>
      }
    >
      <ResultToolbar state={state} unit={units.common} bucketMs={data?.request.bucketMs} onChange={apply}>
        <OverlayMenu own={connection} over={state.over} onChange={(over) => apply({ over, match: '' })} />
        {state.view === 'chart' && (
          <>
            <MarkersButton connectionId={connection.id} span={data?.request.span} />
            <ExplainButton explanation={explanation} />
          </>
        )}
      </ResultToolbar>
      {overlay && <OverlayNote overlay={overlay} match={state.match} onChange={apply} />}
      <QueryWait
        connectionId={connection.id}
        reads={[explorerQuery(connection.id, state, sources).queryKey]}
        isFetching={isFetching}
        isStopped={isStopped}
        onRun={() => void query.refetch()}
      />
      {failed && <QueryError error={error} onRetry={() => void query.refetch()} />}
      {!data && (isFetching || isDrawing) && <Skeleton variant="rounded" height={360} />}
      {query.fetchStatus === 'idle' && query.isPending && !isStopped && (
        <EmptyState icon={SquarePen} title="No query run yet">
          {blocked ? 'Fix the problem above to run the query.' : 'Complete the query above and run it.'}
        </EmptyState>
      )}
      {data && !failed && found === 'nothing' && <NothingFound onWiden={() => apply({ from: 'now-7d', to: 'now' })} />}
      {data && !failed && found === 'no values' && (
        <NoValues onZeros={formula && empty === 'gap' ? () => apply({ empty: 'zero' }) : null} />
      )}
      {data && !failed && found === 'lines' && state.view === 'number' && (
        <NumberView
          totals={totalsOf(data.points, state, data.request)}
          others={[
            ...(data.previous
              ? [
                  {
                    name: comparisonName(state.compare),
                    totals: totalsOf(data.previous, state, previousRequest(data.request)),
                  },
                ]
              : []),
            ...(otherPoints ? [{ name: names.there, totals: totalsOf(otherPoints, state, data.request) }] : []),
          ]}
          units={units}
          label={titleOf(state)}
          stale={query.isPlaceholderData || isDrawing}
        />
      )}
      {data && !failed && found === 'lines' && state.view !== 'number' && (
        <div ref={panel} data-explained>
          {explanation.choosing && explained}
          <Chart
            handle={chart}
            series={top.lines}
            type={chartOf(state)}
            span={data.request.span}
            bucketMs={data.request.bucketMs}
            readAt={data.readAt}
            zone={state.tz}
            unit={units.common}
            log={state.scale === 'log'}
            missing={state.empty}
            height={310}
            label={titleOf(state)}
            view={state.view}
            // A refresh of the same query needs no dimming: the chart still shows its result.
            stale={query.isPlaceholderData || isDrawing}
            onZoom={zoom}
            events={events}
            explain={explanation.explain}
            marks={marks}
            {...(zoomedFrom && { onReset: reset })}
          />
          {top.others > 0 && (
            <Text variant="caption" color="textSecondary">
              {counted(top.others, 'smaller group')} {addsUp(state) ? 'as one line, “others”' : 'not drawn'}. “All data
              as CSV” has {top.others === 1 ? 'it' : 'them'}.
            </Text>
          )}
          {otherGroups > 0 && (
            <Text variant="caption" color="textSecondary">
              “Other” is all of {counted(otherGroups, 'smaller group')}, computed from their records.
            </Text>
          )}
          {explanation.asked && !explanation.choosing && explained}
        </div>
      )}
      {!failed && found === 'lines' && readFrom.length > 0 && (
        <Text variant="caption" color="textSecondary">
          Read from {readFrom.join(', ')} (materialized view).
        </Text>
      )}
    </Panel>
  )
}

const hasNoValues = ({ points }: Series): boolean => points.every(([, value]) => value === null)

const previousRequest = ({ query, bucketMs, span, earlier: by }: ExplorerData['request']) => ({
  query,
  bucketMs,
  span: { from: span.from - by, to: span.to - by },
})

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

function NothingFound({ onWiden }: { onWiden: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No data in this range"
      action={<Button onClick={onWiden}>Show the last 7 days</Button>}
    >
      No records match the conditions in this time range. Widen the range or remove a condition.
    </EmptyState>
  )
}

/** There are records, and nothing to draw of them: a formula over buckets that are missing or zero, or numbers out of words. */
function NoValues({ onZeros }: { onZeros: (() => void) | null }) {
  return (
    <EmptyState
      icon={CircleSlash}
      title="No values to draw"
      action={onZeros && <Button onClick={onZeros}>Treat missing buckets as zero</Button>}
    >
      Records were found, but no value could be computed. In a formula, a count without rows is 0, but an average, a
      quantile or another aggregate without rows has no value, and nothing is divided by zero. An aggregate needs
      numbers.
    </EmptyState>
  )
}
