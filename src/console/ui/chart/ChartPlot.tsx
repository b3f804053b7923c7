import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { formatValue } from '#domain/charts/units.ts'
import type { Span } from '#domain/time/span.ts'
import type { Zone } from '#domain/time/zone.ts'
import { VisuallyHidden } from '../base/VisuallyHidden.tsx'
import { useChartCursor } from './chartCursor.ts'
import { ChartPointer } from './ChartPointer.tsx'
import { TimeArea } from './PlotAnnotations.tsx'
import * as css from './chart.module.css'
import { PlotChart } from './PlotChart.tsx'
import { type PlotInput, type PlotModel, plotArea, plotModel } from './plotModel.ts'
import { PlotSeries } from './PlotSeries.tsx'
import { formatBucket } from '../time/formatRangeTime.ts'
import { formatMoment } from '../time/formatTime.ts'
import { tooltipRows } from '../series/tooltipRows.ts'
import type { ChartEvents, ChartExplain } from '../series/chartEvents.ts'
import { type ChartBrush, useChartInput } from './useChartInput.ts'

interface ChartPlotProps extends PlotInput {
  /** Name of the chart for assistive technology, and the id of its description. */
  label: string
  describedBy: string
  syncId?: string | undefined
  onZoom?: ((span: Span) => void) | undefined
  onReset?: (() => void) | undefined
  brush?: ChartBrush | undefined
  events?: ChartEvents | undefined
  explain?: ChartExplain | undefined
  renderAnnotations?: ((model: PlotModel) => ReactNode) | undefined
  onAxis?: ((axis: TimeAxis) => void) | undefined
  overlay?: ((place: PlotPlace) => ReactNode) | undefined
}

/** Where the series are drawn, pixels from the top left corner of the chart, and the times at both sides. */
export interface PlotPlace extends ReturnType<typeof plotArea> {
  span: Span
  zone: Zone
  /** The width of the chart, in pixels. */
  width: number
  height: number
}

/** Where the time axis is, pixels from the left of the chart. */
export interface TimeAxis {
  left: number
  width: number
}

/** The plot: axes, series, cursor. One tab stop; arrows move the cursor, Shift selects, Enter zooms, Escape goes back. */
export function ChartPlot(props: ChartPlotProps) {
  const { span, zone, width, height, syncId, onAxis, overlay } = props
  const keysId = useId()
  const [announcement, setAnnouncement] = useState('')
  const chart = useId()
  const cursor = useChartCursor(syncId)
  useEffect(() => () => cursor.leave(chart), [cursor, chart])
  const model = usePlotModel(props)
  const onMove = (index: number, selection: Span | null) => setAnnouncement(announcementOf(props, index, selection))
  const { held, release, selection, handlers } = useChartInput({
    model,
    chart,
    cursor,
    onZoom: props.onZoom,
    onReset: props.onReset,
    brush: props.brush,
    events: props.events,
    explain: props.explain,
    onMove,
  })
  const area = plotArea(model)
  const { left, right } = area
  useEffect(() => {
    if (width > 0) onAxis?.({ left, width: right - left })
  }, [onAxis, left, right, width])

  const plot = (
    <div
      role="application"
      aria-roledescription="chart"
      aria-label={props.label}
      aria-describedby={`${props.describedBy} ${keysId}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys that move the cursor are pressed here
      tabIndex={0}
      {...handlers}
      className={css.chartPlot}
      style={{ height }}
    >
      {width > 0 && (
        <>
          <Drawing
            model={model}
            selection={selection}
            explained={props.explain?.span}
            renderAnnotations={props.renderAnnotations}
          />
          <ChartPointer
            {...{ model, chart, cursor, held }}
            onClose={release}
            events={props.events}
            explain={props.explain}
          />
        </>
      )}
      <VisuallyHidden id={keysId}>
        Arrow keys move the cursor, with Shift they select a range. Enter zooms in, Space pins the values, Escape goes
        back.{props.events && ' V shows the events of the bucket or the selected range.'}
        {props.explain && ' I explains the bucket or the selected range.'}
      </VisuallyHidden>
      <VisuallyHidden live="polite">{announcement}</VisuallyHidden>
    </div>
  )
  if (!overlay) return plot
  return (
    <>
      {plot}
      {width > 0 && overlay({ ...area, span, zone, width, height })}
    </>
  )
}

/** The content of the plot. Its input is a new object each time: it is computed again when a value in it changes. */
function usePlotModel(input: PlotInput): PlotModel {
  const { frame, styles, type, interpolation, span, bucketMs, isComplete, zone, unit, width, height } = input
  const { fit, log, include, marked } = input
  return useMemo(
    () =>
      plotModel({
        frame,
        styles,
        type,
        interpolation,
        span,
        bucketMs,
        isComplete,
        zone,
        unit,
        width,
        height,
        fit,
        log,
        include,
        marked,
      }),
    [
      frame,
      styles,
      type,
      interpolation,
      span,
      bucketMs,
      isComplete,
      zone,
      unit,
      width,
      height,
      fit,
      log,
      include,
      marked,
    ],
  )
}

interface DrawingProps extends Pick<ChartPlotProps, 'renderAnnotations'> {
  model: PlotModel
  selection: Span | null
  /** The part that is explained. */
  explained: Span | null | undefined
}

/** The axes and the series, with what is selected and explained of them. */
function Drawing({ model, selection, explained, renderAnnotations }: DrawingProps) {
  return (
    <PlotChart model={model} lineColor="var(--line)" textColor="var(--muted)" aria-hidden>
      {renderAnnotations?.(model)}
      <PlotSeries model={model} />
      {explained && (
        <TimeArea
          model={model}
          span={explained}
          fill={accentColor}
          fillOpacity={0.08}
          stroke={accentColor}
          strokeDasharray="4 3"
        />
      )}
      {selection && (
        <TimeArea model={model} span={selection} fill={accentColor} fillOpacity={0.14} stroke={accentColor} />
      )}
    </PlotChart>
  )
}

const accentColor = 'var(--accent)'

/** The announcement when the keyboard moves the cursor. */
function announcementOf({ frame, unit, bucketMs, zone }: PlotInput, index: number, selection: Span | null): string {
  const { rows, more, zeros } = tooltipRows(frame, index, null)
  const values = rows
    .slice(0, 5)
    .map(({ series, value }) => `${series.label} ${formatValue(value, series.unit ?? unit)}`)
  const others = more + Math.max(0, rows.length - 5)
  const selected = selection
    ? `Selected ${formatMoment(selection.from, zone)} to ${formatMoment(selection.to, zone)}. `
    : ''
  const bucket = formatBucket(frame.times[index]!, bucketMs, zone)
  return `${selected}${bucket}: ${values.join(', ') || (zeros ? 'all at zero' : 'no values')}${others ? `, and ${others} more` : ''}`
}
