import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { ExplainButton, ExplainView } from '#console/charting/explanation/ExplainButton.tsx'
import { explainedChart } from '#console/charting/explanation/explainedChart.ts'
import { useChartExplain, type ChartExplanation } from '#console/charting/explanation/useChartExplain.ts'
import { MarkersButton } from '#console/charting/markers/MarkersButton.tsx'
import { useMarkerKey } from '#console/charting/markers/useChartMarkers.tsx'
import { useQueryConnection } from '#console/charting/queryConnection/useQueryConnection.ts'
import { useViewEvents } from '#console/charting/search/useViewEvents.ts'
import type { WatchedState } from '#console/charting/watched/useWatchedWindows.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import type { TimeAxis } from '#console/ui/chart/ChartPlot.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { counted } from '#domain/text/words.ts'
import type { Span } from '#domain/time/span.ts'
import type { Firing } from './model/facts.ts'
import { ranges, type RangeName } from './model/ranges.ts'
import { WindowStates } from './WindowStates.tsx'
import { isSettled, type AlertHistory } from './history/useAlertHistory.ts'
import type { Evaluations } from './history/useEvaluations.ts'
import * as css from './alertDetail.module.css'

// Comes with the marks of the chart.
const ChangesBefore = lazyComponent(
  async () => (await import('#console/charting/markers/ChangesBefore.tsx')).ChangesBefore,
)
// The chart library is large, and the rest of the page does not wait for it.
const WatchedChart = lazyComponent(async () => (await import('./WatchedChart.tsx')).WatchedChart)

interface WatchedPanelProps {
  alert: Alert
  /** The watched tile or saved search. */
  name: string
  history: AlertHistory
  range: RangeName
  onRange: (range: RangeName) => void
  span: Span
  now: number
}

/** The watched chart, and the states of the windows on the same time axis. */
export function WatchedPanel({ alert, name, history, range, onRange, span, now }: WatchedPanelProps) {
  const [ref, { width }] = useElementSize()
  const [axis, setAxis] = useState<TimeAxis | null>(null)
  const { evaluations, firings, watched } = history
  const { windows } = evaluations
  const { readFrom, isReading } = useOlderWindows(evaluations, span.from)
  const earlier = useMemo(
    () => (readFrom === undefined ? [] : earlierFirings(firings, readFrom, now)),
    [readFrom, firings, now],
  )
  const drawn = watched.kind === 'read'
  const connection = useConnection()
  const { id: connectionId } = connection
  const { explanation, answeringId } = useAlertExplain(connection, watched, name)
  const deploymentsOf = answeringId ?? undefined
  const lastFired = firings?.[0]?.earlier ? undefined : firings?.[0]?.from
  useMarkerKey()
  const explained = answeringId !== null && (
    <ExplainView connectionId={answeringId} zone="local" explanation={explanation} />
  )
  return (
    <Panel
      title={name}
      aside={
        <div className={css.watchedControls}>
          <MarkersButton {...{ connectionId, deploymentsOf, span }} />
          <ExplainButton explanation={explanation} />
          <ToggleButtons label="Time range" value={range} options={ranges} onChange={onRange} />
        </div>
      }
    >
      <Column gap={8} ref={ref} data-explained>
        {explanation.choosing && explained}
        {drawn ? (
          // As high as the chart, whose code is loaded later.
          <div className={css.watchedChart}>
            <WatchedChart
              {...{ alert, name, watched, windows, earlier, span, deploymentsOf }}
              onAxis={setAxis}
              explain={explanation.explain}
            />
          </div>
        ) : (
          <NoChart watched={watched} />
        )}
        {width > 0 && windows && windows.length > 0 && (
          <WindowStates
            {...{ windows, earlier, span, now }}
            left={drawn ? (axis?.left ?? 0) : 0}
            width={drawn && axis ? axis.width : width}
          />
        )}
        {!isSettled(history) && <div className={css.stateStripPlace} />}
        {lastFired !== undefined && <ChangesBefore {...{ connectionId, deploymentsOf }} at={lastFired} />}
        {windows?.length === 0 && <Note>No window was evaluated yet.</Note>}
        {readFrom !== undefined && !isReading && (
          <Note>
            {firings
              ? `Before ${formatRecent(readFrom, now)} only the times of firing are shown.`
              : `Windows before ${formatRecent(readFrom, now)} were not read.`}
          </Note>
        )}
        {drawn && <ChartNotes watched={watched} span={span} now={now} />}
        {explanation.asked && !explanation.choosing && explained}
      </Column>
    </Panel>
  )
}

/** Windows that are read for the strip. For earlier ones only the firing is shown. */
const maxWindows = 400

interface OlderWindows {
  /** The start of the oldest window that is read, where the range begins before it. */
  readFrom: number | undefined
  /** Older ones are read, or about to be. */
  isReading: boolean
}

/** Reads older windows until they fill the range, or there are as many as the strip shows. */
function useOlderWindows({ windows, hasMore, older }: Evaluations, from: number): OlderWindows {
  const oldest = windows?.at(-1)?.start
  const isPartial = hasMore && oldest !== undefined && oldest > from
  const readsOlder = isPartial && (windows?.length ?? 0) < maxWindows && !older.pending && !older.error
  const { read } = older
  useEffect(() => {
    if (readsOlder) read()
    // `read` is new with every rendering, and reads the page before the oldest window.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [readsOlder, oldest])
  return { readFrom: isPartial ? oldest : undefined, isReading: readsOlder || older.pending }
}

interface AlertExplanation {
  explanation: ChartExplanation
  /** The connection whose rows are read; null if none has them. */
  answeringId: string | null
}

/** "Explain this" of the chart of an alert. Values open the search, because an alert is not changed on the way. */
function useAlertExplain(connection: Connection, watched: WatchedState, name: string): AlertExplanation {
  const { connectionId, answering: sources } = useQueryConnection(connection)
  const { problem: noSearch } = useViewEvents(connectionId, 'local')
  const query = watched.kind === 'read' ? watched.request.query : undefined
  const chart = useMemo(
    () => query && explainedChart({ queries: [query], labels: [name], sources, noSearch }),
    [query, name, sources, noSearch],
  )
  return { explanation: useChartExplain(chart), answeringId: connectionId }
}

function NoChart({ watched }: { watched: Exclude<WatchedState, { kind: 'read' }> }) {
  if (watched.kind === 'failed') return <QueryError error={watched.error} onRetry={watched.refresh} />
  // As high as the chart, so that nothing moves when it comes.
  if (watched.kind === 'loading') return <div className={css.watchedChart} aria-busy />
  return <Note>No chart: {watched.sentence}</Note>
}

interface ChartNotesProps {
  watched: Extract<WatchedState, { kind: 'read' }>
  span: Span
  now: number
}

/** How the chart differs from what the alert evaluates. */
function ChartNotes({ watched: { windows, request, otherGroups, queryConnectionName }, span, now }: ChartNotesProps) {
  return (
    <>
      {request.shortenedFrom !== null && (
        <Note>
          The chart begins at {formatRecent(windows[0]?.start ?? span.from, now)}: a chart query has no more buckets.
        </Note>
      )}
      {otherGroups > 0 && (
        <Note>
          The chart has the largest groups, and not {counted(otherGroups, 'smaller group')}. The alert evaluates all of
          them.
        </Note>
      )}
      {queryConnectionName && <Note>Values from {queryConnectionName}.</Note>}
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Text variant="caption" color="textSecondary" component="p">
      {children}
    </Text>
  )
}

/** The times of firing before the oldest window that was read. */
function earlierFirings(firings: readonly Firing[] | undefined, oldest: number, now: number) {
  return (firings ?? [])
    .map(({ from, to }) => ({ from, to: Math.min(to ?? now, oldest) }))
    .filter(({ from, to }) => from < to)
}
