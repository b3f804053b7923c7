import { useCallback, useId, useMemo, useState } from 'react'
import { VisuallyHidden } from '../base/VisuallyHidden.tsx'
import type { Span } from '../time/range.ts'
import { inZone, type Zone } from '../time/zone.ts'
import { Axes } from './Axes.tsx'
import { CursorLayer } from './CursorLayer.tsx'
import { useCursorStore } from './cursor.ts'
import { bandsOf, type ChartType, type Drawing, valueAxis } from './drawing.ts'
import { plotOf, scaleOf, timeTickCount } from './layout.ts'
import type { SeriesStyle } from './palette.ts'
import { SeriesCanvas } from './SeriesCanvas.tsx'
import type { Frame } from './series.ts'
import { bucketLabel, clockLabel, clockTicks } from './ticks.ts'
import { tooltipRows } from './tooltipRows.ts'
import { formatValue, type Unit } from './units.ts'
import { useChartInput } from './useChartInput.ts'

export interface ChartPlotProps {
  frame: Frame
  styles: ReadonlyMap<string, SeriesStyle>
  type: ChartType
  span: Span
  bucketMs: number
  isComplete: (time: number) => boolean
  zone: Zone
  unit: Unit
  /** Pixels. Nothing is drawn at width 0. */
  width: number
  height: number
  /** What is drawn, for those who do not see it. */
  label: string
  describedBy: string
  syncId?: string | undefined
  onZoom?: ((span: Span) => void) | undefined
  onReset?: (() => void) | undefined
}

/** The plot: axes, series, cursor. One tab stop; arrows move the cursor, Shift selects, Enter zooms, Escape goes back. */
export function ChartPlot(props: ChartPlotProps) {
  const { frame, styles, span, zone, unit, width, height, bucketMs, label, describedBy, onZoom, onReset } = props
  const id = useId()
  const keysId = useId()
  const store = useCursorStore(props.syncId)
  const [said, setSaid] = useState('')
  const { drawing, ticks, valueLabel } = useDrawing(props)
  const timeTicks = useMemo(
    () => clockTicks(span.from, span.to, timeTickCount(drawing.plot.width), zone),
    [span.from, span.to, drawing.plot.width, zone],
  )
  const timeLabel = useCallback((time: number) => clockLabel(time, zone), [zone])
  const bucketTitle = (time: number) => bucketLabel(time, bucketMs, zone)

  const onSay = (index: number, selection: Span | null) => {
    const { rows, more } = tooltipRows(frame, index, null)
    const values = rows
      .slice(0, 5)
      .map(({ series, value }) => `${series.label} ${formatValue(value, series.unit ?? unit)}`)
    const others = more + Math.max(0, rows.length - 5)
    const selected = selection ? `Selected ${clock(selection.from, zone)} to ${clock(selection.to, zone)}. ` : ''
    setSaid(
      `${selected}${bucketTitle(frame.times[index]!)}: ${values.join(', ') || 'no values'}${others ? `, and ${others} more` : ''}`,
    )
  }
  const { selection, handlers } = useChartInput({ id, store, drawing, onZoom, onReset, onSay })
  const { plot } = drawing

  return (
    <div style={{ position: 'relative', height }}>
      {width > 0 && (
        <Axes
          plot={plot}
          scale={drawing.scale}
          timeTicks={timeTicks}
          timeLabel={timeLabel}
          valueTicks={ticks}
          valueLabel={valueLabel}
        />
      )}
      {width > 0 && <SeriesCanvas drawing={drawing} styles={styles} width={width} height={height} />}
      {/* The keys that move the cursor are pressed here. */}
      <div
        role="application"
        aria-roledescription="chart"
        aria-label={label}
        aria-describedby={`${describedBy} ${keysId}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        {...handlers}
        style={{ ...pad, left: plot.left, top: plot.top, width: plot.width, height: plot.height }}
      />
      <CursorLayer {...{ id, store, drawing, styles, unit, width, selection, bucketTitle }} />
      <VisuallyHidden id={keysId}>
        Arrow keys move the cursor, with Shift they select a range. Enter zooms into it, Space keeps the values, Escape
        goes back.
      </VisuallyHidden>
      <VisuallyHidden live="polite">{said}</VisuallyHidden>
    </div>
  )
}

/** What takes pointer and keyboard lies over the plot. */
const pad = { position: 'absolute', cursor: 'crosshair', touchAction: 'pan-y', borderRadius: '3px' } as const

const clock = (time: number, zone: Zone) => inZone(time, zone).format('D MMM HH:mm')

/** Bands, ticks and scales: everything that one set of data and one size decide. */
function useDrawing(props: ChartPlotProps) {
  const { frame, type, span, unit, width, height, bucketMs, isComplete } = props
  const bands = useMemo(() => bandsOf(frame, type), [frame, type])
  const axis = useMemo(() => valueAxis(frame, bands, height, unit), [frame, bands, height, unit])
  const { from, to } = span
  const drawing = useMemo<Drawing>(() => {
    const plot = plotOf(width, height, axis.labels)
    const scale = scaleOf(plot, { from, to }, [axis.ticks[0]!, axis.ticks.at(-1)!])
    return { frame, bands, type, plot, scale, bucketMs, isComplete }
  }, [frame, bands, type, width, height, axis, from, to, bucketMs, isComplete])
  return { drawing, ticks: axis.ticks, valueLabel: axis.label }
}
