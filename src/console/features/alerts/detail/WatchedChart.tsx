import { useMemo } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { useChartMarkers } from '#console/charting/markers/useChartMarkers.tsx'
import type { ReadWindows } from '#console/charting/watched/useWatchedWindows.ts'
import { TimeArea, ValueArea, ValueLine } from '#console/ui/chart/PlotAnnotations.tsx'
import { TimeSeriesChart } from '#console/ui/chart/TimeSeriesChart.tsx'
import type { TimeAxis } from '#console/ui/chart/ChartPlot.tsx'
import type { ChartExplain } from '#console/ui/series/chartEvents.ts'
import type { Series } from '#console/ui/series/series.ts'
import { rangeThresholdTypes, type Alert } from '#contract/stack/alerts.ts'
import { formatValue } from '#domain/charts/units.ts'
import { violatedRanges } from '#domain/alerting/threshold.ts'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import type { Span } from '#domain/time/span.ts'
import { thresholdWord } from '../alertLabels.ts'
import { firingSpans, stripRuns, type EvaluatedWindow } from './model/evaluatedWindows.ts'

interface WatchedChartProps {
  alert: Alert
  name: string
  watched: ReadWindows
  windows: readonly EvaluatedWindow[] | undefined
  /** The times of firing before these windows. */
  earlier: readonly Span[]
  span: Span
  /** The connection whose rows are read. */
  deploymentsOf: string | undefined
  onAxis: (axis: TimeAxis) => void
  explain: ChartExplain | undefined
}

/** The share of the threshold that the value axis has above it. */
const headroom = 0.25

/** The values that the alert compares, with its threshold, and the times in which it was pending or firing. */
export function WatchedChart(props: WatchedChartProps) {
  const { alert, name, watched, windows, earlier, span, onAxis, explain } = props
  const series = useMemo(() => seriesOf(watched, windows ?? [], name), [watched, windows, name])
  const length = (watched.windows[0]?.end ?? 0) - (watched.windows[0]?.start ?? 0)
  const { threshold, thresholdMax } = alert
  const isRange = rangeThresholdTypes.includes(alert.thresholdType) && typeof thresholdMax === 'number'
  const lines = isRange ? [threshold, thresholdMax] : [threshold]
  const top = Math.max(...lines)
  // Without a unit as it was entered, without separators.
  const valueText = (value: number) => (watched.unit === 'number' ? String(value) : formatValue(value, watched.unit))
  const limits = isRange ? `${valueText(threshold)} and ${valueText(thresholdMax)}` : valueText(threshold)
  // Room above the line for its label.
  const include = useMemo(() => [Math.min(threshold, top), top + Math.abs(top) * headroom], [threshold, top])
  const active = useMemo(
    () => [
      ...earlier.map((firing) => ({ ...firing, state: 'firing' })),
      ...stripRuns(windows ?? []).filter(({ state }) => state === 'firing' || state === 'pending'),
    ],
    [windows, earlier],
  )
  const marks = useChartMarkers({ connectionId: useConnection().id, deploymentsOf: props.deploymentsOf, dense: true })
  const firedAt = useMemo(() => labelledFirings(windows ?? [], earlier, span), [windows, earlier, span])
  return (
    <TimeSeriesChart
      series={series}
      type="line"
      span={span}
      bucketMs={length}
      readAt={span.to}
      zone="local"
      unit={watched.unit}
      height={220}
      label={`${name}, with the threshold ${thresholdWord(alert.thresholdType)} ${valueText(threshold)}`}
      dense
      include={include}
      onAxis={onAxis}
      marks={marks}
      explain={explain}
      renderAnnotations={(model) => (
        <>
          {active
            .filter(({ from, to }) => to > span.from && from < span.to)
            .map(({ from, to, state }) => (
              <TimeArea
                key={`${state} ${from}`}
                model={model}
                span={{ from, to }}
                fill={state === 'firing' ? 'var(--bad)' : 'var(--warn)'}
                fillOpacity={0.12}
                label={firedAt.has(from) ? `Fired at ${formatRecent(firedAt.get(from) ?? from, span.to)}` : undefined}
              />
            ))}
          {violatedRanges(alert).map(([low, high]) => (
            <ValueArea
              key={`band ${low} ${high}`}
              model={model}
              from={low}
              to={high}
              fill="var(--bad)"
              fillOpacity={0.04}
            />
          ))}
          {lines.map((value, at) => (
            <ValueLine
              key={at}
              model={model}
              value={value}
              stroke="var(--bad)"
              strokeDasharray="4 3"
              label={at === 0 ? `${thresholdWord(alert.thresholdType)} ${limits}` : undefined}
            />
          ))}
        </>
      )}
    />
  )
}

/** Labels need this share of the range each, so that they do not cover each other. */
const labelShare = 0.2

/** When firings began, by the left end of their areas: the newest one, and others with room for a label. */
function labelledFirings(
  windows: readonly EvaluatedWindow[],
  earlier: WatchedChartProps['earlier'],
  span: WatchedChartProps['span'],
): Map<number, number> {
  const first = new Map(windows.map(({ start, end }) => [end, start]))
  const oldest = Math.min(...first.values())
  const begun = [
    ...earlier.map(({ from }) => ({ at: from, left: from })),
    // The state before the oldest window is not known.
    ...firingSpans(windows)
      .map(({ from }) => ({ at: from, left: first.get(from) ?? from }))
      .filter(({ left }) => left > oldest),
  ]
  const labelled = new Map<number, number>()
  let next = Infinity
  for (const { at, left } of begun.toSorted((a, b) => b.left - a.left)) {
    if (left < span.from || left >= span.to || next - left < labelShare * (span.to - span.from)) continue
    labelled.set(left, at)
    next = left
  }
  return labelled
}

/** One series for each group, the largest first. A window without rows counts as 0; one that could not be read has no value. */
function seriesOf(watched: ReadWindows, evaluated: readonly EvaluatedWindow[], name: string): Series[] {
  const unread = new Set(evaluated.flatMap(({ end, state }) => (state === 'unread' ? end : [])))
  const keys = new Set(watched.windows.flatMap(({ values }) => values.map(({ key }) => key)))
  if (keys.size === 0) keys.add('')
  const byWindow = watched.windows.map(({ start, end, values }) => ({
    start,
    readable: !unread.has(end),
    values: new Map(values.map(({ key, value }) => [key, value])),
  }))
  const lines = [...keys].map((key) => ({
    id: key || name,
    label: key || name,
    points: byWindow.map(({ start, readable, values }) => [start, readable ? (values.get(key) ?? 0) : null] as const),
  }))
  const total = ({ points }: Series) => points.reduce((sum, [, value]) => sum + Math.abs(value ?? 0), 0)
  return lines.toSorted((a, b) => total(b) - total(a))
}
