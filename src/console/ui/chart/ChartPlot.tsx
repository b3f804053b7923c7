import {
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useState,
} from 'react'
import { Legend, type MouseHandlerDataParam, ReferenceArea, Tooltip, useXAxisInverseScale } from 'recharts'
import { formatValue } from '#domain/charts/units.ts'
import type { Span } from '#domain/time/span.ts'
import type { Zone } from '#domain/time/zone.ts'
import { VisuallyHidden } from '../base/VisuallyHidden.tsx'
import { ChartPointer } from './ChartPointer.tsx'
import { chartSeries } from './ChartSeries.tsx'
import css from './ChartPlot.module.css'
import type { SeriesStyle } from '../series/palette.ts'
import { PlotChart } from './PlotChart.tsx'
import { type PlotInput, plotArea, plotModel } from './plotModel.ts'
import { SeriesCanvas } from './SeriesCanvas.tsx'
import { nearestIndex } from '../series/series.ts'
import { formatBucket } from '../time/formatRangeTime.ts'
import { formatMoment } from '../time/formatTime.ts'
import { tooltipRows } from '../series/tooltipRows.ts'
import type { ChartEvents, ChartExplain } from '../series/chartEvents.ts'
import { type ChartBrush, useChartInput } from './useChartInput.ts'

interface ChartPlotProps extends PlotInput {
  /** Name of the chart for assistive technology, and the id of its description. */
  label: string
  describedBy: string
  /** The legend, and the element that it is shown in. */
  legend: ReactElement | false
  legendPlace: HTMLElement | null
  syncId?: string | undefined
  onZoom?: ((span: Span) => void) | undefined
  onReset?: (() => void) | undefined
  brush?: ChartBrush | undefined
  events?: ChartEvents | undefined
  explain?: ChartExplain | undefined
  annotations?: ReactNode
  onAxis?: ((axis: TimeAxis) => void) | undefined
  overlay?: ((place: PlotPlace) => ReactNode) | undefined
}

/** Where the series are drawn, pixels from the top left corner of the chart, and the times at both sides. */
export interface PlotPlace extends ReturnType<typeof plotArea> {
  span: Span
  zone: Zone
  /** Of the chart. */
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
  const { frame, styles, type, interpolation, span, bucketMs, isComplete, zone, unit, width, height } = props
  const { fit, log, include, marked, syncId, onAxis, overlay } = props
  const keysId = useId()
  const [announcement, setAnnouncement] = useState('')
  const [pointed, setPointed] = useState(false)
  const model = useMemo(
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
  const series = useMemo(
    () => (model.dense ? <SeriesCanvas model={model} /> : chartSeries(model, cssColor, 'var(--surface)')),
    [model],
  )
  const onMove = (index: number, selection: Span | null) => setAnnouncement(announcementOf(props, index, selection))
  const { held, release, selection, timeAt, handlers } = useChartInput({
    model,
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
  const heldIndex = held && nearestIndex(frame.times, held.time)

  const plot = (
    <div
      role="application"
      aria-roledescription="chart"
      aria-label={props.label}
      aria-describedby={`${props.describedBy} ${keysId}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys that move the cursor are pressed here
      tabIndex={0}
      {...handlers}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      className={css.plot}
      style={{ height }}
    >
      {width > 0 && (
        <PlotChart
          model={model}
          lineColor={lineColor}
          textColor="var(--muted)"
          aria-hidden
          // The browser reports one move a frame already.
          throttledEvents={noEvents}
          // A pinned cursor stays where it is, whatever the others point at.
          {...(syncId !== undefined && !held?.pinned && { syncId, syncMethod })}
        >
          {props.annotations}
          {series}
          {props.explain?.span && (
            <ReferenceArea
              x1={Math.max(props.explain.span.from, span.from)}
              x2={Math.min(props.explain.span.to, span.to)}
              fill={accentColor}
              fillOpacity={0.08}
              stroke={accentColor}
              strokeDasharray="4 3"
            />
          )}
          {selection && (
            <ReferenceArea
              x1={Math.max(selection.from, span.from)}
              x2={Math.min(selection.to, span.to)}
              fill={accentColor}
              fillOpacity={0.14}
              stroke={accentColor}
            />
          )}
          <Tooltip
            trigger={held ? 'click' : 'hover'}
            {...(heldIndex !== null && { defaultIndex: heldIndex })}
            isAnimationActive={false}
            wrapperStyle={tooltipLayer}
            cursor={false}
            content={
              <ChartPointer
                {...{ model, held }}
                cursorOnly={!pointed && !held && syncId !== undefined}
                onClose={release}
                events={props.events}
                explain={props.explain}
              />
            }
          />
          {props.legend && props.legendPlace && <Legend portal={props.legendPlace} content={props.legend} />}
          <AxisReader timeAt={timeAt} />
        </PlotChart>
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

const noEvents = [] as const
const cssColor = ({ variable }: SeriesStyle) => `var(${variable})`
const lineColor = 'var(--line)'
const accentColor = 'var(--accent)'
/** The tooltip places itself: where recharts does, it measures and renders it twice for each move. */
const tooltipLayer = { visibility: 'visible', transform: 'none', width: 0, height: 0, zIndex: 5 } as const

/** The bucket at another chart's cursor: the nearest one, because charts can have different bucket lengths. */
function syncMethod(ticks: readonly { value: number }[], { activeLabel }: MouseHandlerDataParam): number {
  return nearestIndex(
    ticks.map(({ value }) => value),
    Number(activeLabel),
  )
}

/** Lets the handlers of the plot read its time axis. */
function AxisReader({ timeAt }: { timeAt: Ref<(x: number) => number> }) {
  const inverse = useXAxisInverseScale()
  useImperativeHandle(timeAt, () => (x) => Number(inverse?.(x) ?? 0), [inverse])
  return null
}

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
