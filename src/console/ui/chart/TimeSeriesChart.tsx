import { type ReactNode, type Ref, useCallback, useId, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Unit } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'
import { VisuallyHidden } from '../base/VisuallyHidden.tsx'
import { Notice } from '../Notice.tsx'
import { bucketEnd } from '#domain/time/localBuckets.ts'
import { useElementSize } from '../useElementSize.ts'
import { ChartPlot, type PlotPlace, type TimeAxis } from './ChartPlot.tsx'
import { maxSeries, useLegend } from '#console/ui/series/useLegend.ts'
import { type ChartType, isBar, isStacked, type LineInterpolation, showsDashes } from './chartTypes.ts'
import type { ChartMark, ChartSnapshot } from './exportChart.tsx'
import type { PlotModel } from './plotModel.ts'
import { legendGroups } from './secondAxis.ts'
import type { LegendSort } from '../series/legend.ts'
import { LegendBar } from '../series/LegendBar.tsx'
import { SeriesLegend } from '../series/SeriesLegend.tsx'
import { SeriesTable } from '../series/SeriesTable.tsx'
import { type Frame, frameOf, type Missing, type Series } from '../series/series.ts'
import { frameStats } from '../series/stats.ts'
import { summarySentence } from '../series/summary.ts'
import type { ChartEvents, ChartExplain } from '../series/chartEvents.ts'
import type { ChartBrush } from './useChartInput.ts'
import { useSeriesStyles } from '../series/useSeriesStyles.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './chart.module.css'

export interface ChartHandle {
  /** The current drawing of the chart, to export it. */
  snapshot(): ChartSnapshot
}

export interface TimeSeriesChartProps {
  handle?: Ref<ChartHandle>
  series: readonly Series[]
  type: ChartType
  /** How points are connected; straight by default. Charts of many points draw smooth lines straight, too. */
  interpolation?: LineInterpolation | undefined
  /** Range of the time axis. */
  span: Span
  /** Length of a bucket in milliseconds. */
  bucketMs: number
  /** When the data was read, epoch milliseconds: a bucket that ends later is drawn dashed. */
  readAt: number
  zone: Zone
  unit?: Unit
  /** How a bucket without a value is drawn; a gap by default. */
  missing?: Missing
  /** Height of the plot with its axes, pixels. */
  height?: number
  /** Name of the chart for assistive technology. */
  label: string
  /** The chart, or the same numbers as a table. */
  view?: 'chart' | 'table'
  legend?: boolean
  /** For tiles: the legend in one line, and the summary only for screen readers. */
  dense?: boolean
  /** Newer data is loading. */
  stale?: boolean
  /** Charts with the same id share their cursor. */
  syncId?: string
  /** The user selected a range, by dragging or with the keyboard. */
  onZoom?: (span: Span) => void
  /** Escape was pressed with nothing selected. */
  onReset?: () => void
  /** The selected range stays, and is not zoomed into. */
  brush?: ChartBrush
  /** The way to the rows behind the chart. */
  events?: ChartEvents | undefined
  /** Explains a part: what is dragged with Shift, or selected with the keyboard. */
  explain?: ChartExplain | undefined
  /** SVG elements behind the series, such as a line at a value. */
  renderAnnotations?: ((model: PlotModel) => ReactNode) | undefined
  /** The value axis starts at the lowest value and not at zero. For lines. */
  fit?: boolean | undefined
  /** A logarithmic value axis, for lines. */
  log?: boolean | undefined
  /** Values that the value axis covers besides those of the series. */
  include?: readonly number[]
  /** Called with the place of the time axis, pixels. */
  onAxis?: (axis: TimeAxis) => void
  /** Draws marks over the plot, and says which they are, for files. The chart leaves room for them. */
  marks?: ((place: PlotPlace, onMarks: (marks: readonly ChartMark[]) => void) => ReactNode) | undefined
}

/** Time series with legend, summary and table view. Draws at most 100 series and reports how many are not drawn. */
export function TimeSeriesChart(props: TimeSeriesChartProps) {
  const { type, bucketMs, zone, unit = 'number', height = 320, label } = props
  const { interpolation, fit, log } = props
  const [ref, { width }] = useElementSize()
  const summaryId = useId()
  const [sort, setSort] = useState<LegendSort | null>(null)
  const { all, frame, span, stats, styles, isComplete, rows, drawnIds, actions } = useDrawnSeries(props)
  const summary = useMemo(
    () => summarySentence({ frame, stats, bucketMs, zone, unit }),
    [frame, stats, bucketMs, zone, unit],
  )
  const { marks } = props
  const drawnMarks = useRef<readonly ChartMark[]>([])
  const noteMarks = useCallback((drawn: readonly ChartMark[]) => {
    drawnMarks.current = drawn
  }, [])
  const marked = marks !== undefined
  const drawn = { frame, styles, type, interpolation, span, bucketMs, isComplete, zone, unit, fit, log }
  const plot = { ...drawn, width, height, marked }
  useImperativeHandle(props.handle, () => ({
    snapshot: () => ({ ...plot, title: label, marks: marked ? drawnMarks.current : [] }),
  }))
  const groupOf = useMemo(() => legendGroups({ rows: all.rows, type, log, unit }, frame), [all, type, log, unit, frame])
  const overLimit = rows.filter((row) => row.overLimit).length
  const legend =
    props.legend !== false &&
    (props.dense ? (
      <LegendBar rows={rows} groupOf={groupOf} events={props.events} {...actions} />
    ) : (
      <SeriesLegend {...{ rows, unit, sort, groupOf }} onSort={setSort} events={props.events} {...actions} />
    ))

  return (
    <div className={css.timeSeriesChart} style={{ gap: props.dense ? '0' : '8px' }}>
      {overLimit > 0 && (
        <Notice tone="info">
          {drawnIds.size} of {drawnIds.size + overLimit} series are drawn: the {maxSeries} with the highest values. The
          legend lists all.
        </Notice>
      )}
      <div ref={ref} className={css.timeSeriesChartContent} style={{ opacity: props.stale ? '0.45' : '1' }}>
        {props.view === 'table' ? (
          <SeriesTable {...{ frame, bucketMs, zone, unit, label, isComplete }} />
        ) : (
          <ChartPlot
            {...plot}
            label={label}
            describedBy={summaryId}
            syncId={props.syncId}
            onZoom={props.onZoom}
            onReset={props.onReset}
            brush={props.brush}
            events={props.events}
            explain={props.explain}
            renderAnnotations={props.renderAnnotations}
            include={props.include}
            onAxis={props.onAxis}
            overlay={marks && ((place) => marks(place, noteMarks))}
          />
        )}
      </div>
      {props.dense ? (
        <VisuallyHidden id={summaryId}>{summary}</VisuallyHidden>
      ) : (
        <Text id={summaryId} variant="caption" color="textSecondary">
          {summary}
        </Text>
      )}
      {legend}
    </div>
  )
}

/** The series that the legend leaves drawn, on their times, with the rows of the legend. `all` has those that are hidden, too. */
function useDrawnSeries(props: TimeSeriesChartProps) {
  const { series, type, bucketMs, readAt, zone, missing = 'gap' } = props
  const { from, to } = props.span
  const until = Math.min(readAt, to)
  const isComplete = useMemo(
    () => (time: number) => time >= from && bucketEnd(time, bucketMs, zone) <= until,
    [from, bucketMs, zone, until],
  )
  const all = useMemo(
    () => frameOf(series, missing, { from, to: until, bucketMs, zone }),
    [series, missing, from, until, bucketMs, zone],
  )
  const accumulate = missing === 'zero' || isStacked(type)
  const stats = useMemo(() => frameStats(all, isComplete, accumulate), [all, isComplete, accumulate])
  const styles = useSeriesStyles(series, showsDashes(type, all.times.length))
  const { rows, drawnIds, actions } = useLegend(series, stats, styles)
  const frame = useMemo(
    () => ({ ...all, rows: all.rows.filter((row) => drawnIds.has(row.series.id)) }),
    [all, drawnIds],
  )
  const span = useMemo(() => axisSpan({ from, to }, frame, type, bucketMs), [from, to, frame, type, bucketMs])
  return { all, frame, span, stats, styles, isComplete, rows, drawnIds, actions }
}

/** The range with its first bucket, which may start earlier, and for bars with the whole last bucket. */
function axisSpan(span: Span, frame: Frame, type: ChartType, bucketMs: number): Span {
  const first = frame.times[0] ?? span.from
  const last = frame.times.at(-1) ?? span.to
  return { from: Math.min(span.from, first), to: Math.max(span.to, isBar(type) ? last + bucketMs : last) }
}
