import { CircleSlash, Rows3, SearchX, SquarePen, Undo2 } from 'lucide-react'
import { type ReactNode, type RefObject, useMemo, useRef } from 'react'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { QueryWait } from '#console/charting/progress/QueryWait.tsx'
import { Chart } from '#console/ui/chart/Chart.tsx'
import type { ChartHandle } from '#console/ui/chart/TimeSeriesChart.tsx'
import { readFromOf } from '#domain/series/chartResponse.ts'
import { otherGroupsIn } from '#console/charting/series/groupValues.ts'
import { ExplainButton, ExplainView } from '#console/charting/explanation/ExplainButton.tsx'
import { usePageActions } from '#console/shell/pageActions.ts'
import { MarkersButton } from '#console/charting/markers/MarkersButton.tsx'
import { useChartMarkers, useMarkerKey } from '#console/charting/markers/useChartMarkers.tsx'
import type { ChartEvents } from '#console/ui/series/chartEvents.ts'
import type { Series } from '#console/ui/series/series.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import { ExportMenu } from './ExportMenu.tsx'
import { NumberView } from './NumberView.tsx'
import { OverlayMenu, OverlayNote } from './OverlayNote.tsx'
import { addsUp, chartOf } from './query.ts'
import { ResultToolbar } from './ResultToolbar.tsx'
import { SaveMenu } from './SaveMenu.tsx'
import { ShareMenu } from './ShareMenu.tsx'
import type { Explorer } from './useExplorer.ts'
import { explorerQuery, type ExplorerData, type useExplorerData } from './useExplorerData.ts'
import { type ShownResult, useExplorerResult } from './useExplorerResult.ts'
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
  const result = useExplorerResult(connection, explorer, sources, query)
  const { data, units, overlay, explanation } = result
  const chart = useRef<ChartHandle>(null)
  const panel = useRef<HTMLDivElement>(null)
  useResultKeys(panel, result.events)
  useMarkerKey()
  const failed = error && !isFetching
  const isStopped = ready && !isFetching && (query.isPending || query.isPlaceholderData)
  return (
    <Panel
      title={result.title}
      aside={
        <div className={css.resultActions}>
          {result.resetZoom && (
            <Button startIcon={<Undo2 size={14} aria-hidden />} onClick={result.resetZoom}>
              Reset zoom
            </Button>
          )}
          {data && !failed && (
            <>
              <EventsButton events={result.events} />
              <ShareMenu connection={connection} explorer={explorer} sources={sources} data={data} />
              <ExportMenu chart={chart} state={state} data={data} lines={result.lines} />
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
      {!data && (isFetching || result.isDrawing) && <Skeleton variant="rounded" height={360} />}
      {query.fetchStatus === 'idle' && query.isPending && !isStopped && (
        <EmptyState icon={SquarePen} title="No query run yet">
          {blocked ? 'Fix the problem above to run the query.' : 'Complete the query above and run it.'}
        </EmptyState>
      )}
      {data && !failed && <ResultBody result={result} data={data} chart={chart} panel={panel} />}
    </Panel>
  )
}

/** The keys of the result: to the chart inside the panel, and to the rows that were counted. */
function useResultKeys(panel: RefObject<HTMLDivElement | null>, events: ChartEvents): void {
  const noEvents = events.problemOf(null)
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
      [panel, events, noEvents],
    ),
  )
}

function EventsButton({ events }: { events: ChartEvents }) {
  const noEvents = events.problemOf(null)
  return (
    <DisabledReason reason={noEvents}>
      <Button
        startIcon={<Rows3 size={14} aria-hidden />}
        disabled={noEvents !== undefined}
        onClick={() => events.view(null)}
      >
        View events
      </Button>
    </DisabledReason>
  )
}

interface ResultBodyProps {
  result: ShownResult
  data: ExplorerData
  chart: RefObject<ChartHandle | null>
  panel: RefObject<HTMLDivElement | null>
}

function ResultBody({ result, data, chart, panel }: ResultBodyProps) {
  const { state, apply } = result.explorer
  const { view } = state
  if (result.lines.length === 0) return <NothingFound onWiden={() => apply({ from: 'now-7d', to: 'now' })} />
  if (view !== 'number' && result.lines.every(hasNoValues)) {
    return <NoValues onZeros={state.formula && state.empty === 'gap' ? () => apply({ empty: 'zero' }) : null} />
  }
  const readFrom = readFromOf(data.points)
  return (
    <>
      {view === 'number' ? (
        <NumberView result={result} data={data} />
      ) : (
        <ChartResult result={result} data={data} view={view} chart={chart} panel={panel} />
      )}
      {readFrom.length > 0 && <Note>Read from {readFrom.join(', ')} (materialized view).</Note>}
    </>
  )
}

interface ChartResultProps extends ResultBodyProps {
  view: 'chart' | 'table'
}

function ChartResult({ result, data, view, chart, panel }: ChartResultProps) {
  const { connection, top, units, events, explanation, filters, zoom, resetZoom } = result
  const { state } = result.explorer
  const marks = useChartMarkers({ connectionId: connection.id })
  const otherGroups = otherGroupsIn(data.points)
  const explained = <ExplainView connectionId={connection.id} zone={state.tz} {...{ explanation, filters }} />
  return (
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
        label={result.title}
        view={view}
        // A refresh of the same query needs no dimming: the chart still shows its result.
        stale={result.isStale}
        onZoom={zoom}
        events={events}
        explain={explanation.explain}
        marks={marks}
        {...(resetZoom && { onReset: resetZoom })}
      />
      {top.others > 0 && (
        <Note>
          {counted(top.others, 'smaller group')} {addsUp(state) ? 'as one line, “others”' : 'not drawn'}. “All data as
          CSV” has {top.others === 1 ? 'it' : 'them'}.
        </Note>
      )}
      {otherGroups > 0 && (
        <Note>“Other” is all of {counted(otherGroups, 'smaller group')}, computed from their records.</Note>
      )}
      {explanation.asked && !explanation.choosing && explained}
    </div>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Text variant="caption" color="textSecondary">
      {children}
    </Text>
  )
}

const hasNoValues = ({ points }: Series): boolean => points.every(([, value]) => value === null)

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
