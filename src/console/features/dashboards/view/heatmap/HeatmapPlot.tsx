import { memo, useId, useMemo, useState, type ReactNode, type Ref } from 'react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { formatClock, formatMoment } from '#console/ui/time/formatTime.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import type { HeatmapCells, HeatmapScale } from '#domain/series/heatmap.ts'
import { formatShort, formatValue, type Unit } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'
import type { Span } from '#domain/time/span.ts'
import type { Zone } from '#domain/time/zone.ts'
import {
  bucketStarts,
  partBetween,
  rangeText,
  rectangleOf,
  rectangleOfArea,
  rowsIn,
  timesOf,
  type Area,
  type Part,
  type Rectangle,
} from './heatmapPart.ts'
import { useHeatmapInput, type HeatmapExplain } from './useHeatmapInput.ts'
import * as css from './heatmap.module.css'

export interface HeatmapPlotProps {
  scale: HeatmapScale
  cells: HeatmapCells
  span: Span
  /** Milliseconds. */
  bucketMs: number
  unit: Unit
  zone: Zone
  label: string
  isStale: boolean
  explain?: HeatmapExplain | undefined
  /** The part that is explained, which stays marked. */
  explained?: Area | null
}

/** Pixels of the plot between two labels of the axis of values. */
const tickDistance = 44

/** One tab stop, where a part can be explained: arrows move the cursor, Shift selects, I explains, Escape goes back. */
export function HeatmapPlot(props: HeatmapPlotProps) {
  const { scale, cells, span, bucketMs, unit, zone, label, isStale, explain, explained } = props
  const [ref, { width, height }] = useElementSize()
  const [announcement, setAnnouncement] = useState('')
  const starts = useMemo(() => bucketStarts(cells, span, bucketMs), [cells, span, bucketMs])
  const largest = Math.max(...cells.flatMap((row) => [...row.values()]), 1)
  const describe = (part: Part) => textOf(part, props, starts)
  const { pointed, part, handlers } = useHeatmapInput({
    columns: starts.length,
    rows: cells.length,
    explain,
    onMove: (_, selected) => setAnnouncement(describe(selected)),
  })
  const shown = part ?? (pointed && partBetween(pointed, pointed))
  const marked = explained && rectangleOfArea(explained, scale, span)
  const formatTime = formatOf(span)
  const svg = (
    <svg
      role="img"
      aria-label={`${label}: ${summary(scale, cells, unit)}`}
      viewBox={`0 0 1 ${cells.length}`}
      preserveAspectRatio="none"
      width={width}
      height={height}
    >
      <Cells {...{ cells, span, bucketMs, largest }} />
      {marked && <Mark rectangle={marked} kind="explained" {...{ cells, span }} />}
      {shown && (
        <Mark
          rectangle={rectangleOf(shown, starts, span, bucketMs)}
          kind={part ? 'selected' : 'pointed'}
          {...{ cells, span }}
        />
      )}
    </svg>
  )
  return (
    <div className={css.heatmap} data-stale={isStale}>
      <ValueAxis {...{ scale, height, unit }} />
      <PlotArea {...{ areaRef: ref, label, explain, handlers, announcement }}>{svg}</PlotArea>
      <div className={css.times}>
        {shown ? (
          <span>{describe(shown)}</span>
        ) : (
          <>
            <span>{formatTime(span.from, zone)}</span>
            <span>up to {formatValue(largest)} rows in a cell</span>
            <span>{formatTime(span.to, zone)}</span>
          </>
        )}
      </div>
    </div>
  )
}

interface PlotAreaProps extends Pick<HeatmapPlotProps, 'label' | 'explain'> {
  areaRef: Ref<HTMLDivElement>
  handlers: ReturnType<typeof useHeatmapInput>['handlers']
  announcement: string
  children: ReactNode
}

/** Takes the keyboard only where a part can be explained. */
function PlotArea({ areaRef, label, explain, handlers, announcement, children }: PlotAreaProps) {
  const keysId = useId()
  const { onPointerMove, onPointerLeave } = handlers
  if (!explain) {
    return (
      <div ref={areaRef} className={css.heatmapPlot} {...{ onPointerMove, onPointerLeave }}>
        {children}
      </div>
    )
  }
  return (
    <div
      ref={areaRef}
      role="application"
      aria-roledescription="heatmap"
      aria-label={label}
      aria-describedby={keysId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys that move the cursor are pressed here
      tabIndex={0}
      className={css.heatmapPlot}
      data-choosing={explain.choosing}
      {...handlers}
    >
      {children}
      <VisuallyHidden id={keysId}>
        Arrow keys move the cursor over time and values, with Shift they select a part. I explains the cell or the
        selected part, Escape goes back.
      </VisuallyHidden>
      <VisuallyHidden live="polite">{announcement}</VisuallyHidden>
    </div>
  )
}

const formatOf = ({ from, to }: Span) => (to - from > 86_400_000 ? formatMoment : formatClock)

/** `10:00 to 10:05 · 120 ms to 180 ms: 12 rows`. */
function textOf(part: Part, { scale, cells, span, bucketMs, unit, zone }: HeatmapPlotProps, starts: number[]): string {
  const formatTime = formatOf(span)
  const { from, to } = timesOf(part, starts, span, bucketMs)
  const isOne = part.first.column === part.last.column
  const time = isOne ? formatTime(from, zone) : `${formatTime(from, zone)} to ${formatTime(to, zone)}`
  const values = rangeText(scale, part.first.row, part.last.row, unit)
  return `${time} · ${values}: ${counted(rowsIn(part, cells, starts), 'row')}`
}

interface PlaceProps {
  cells: HeatmapCells
  span: Span
  bucketMs: number
}

/** The place of a time in the plot, 0 to 1. */
const placeOf = ({ from, to }: Span, time: number) => Math.min(Math.max((time - from) / (to - from), 0), 1)

/** A move of the cursor does not draw them again. */
const Cells = memo(function Cells({ cells, span, bucketMs, largest }: PlaceProps & { largest: number }) {
  return cells.flatMap((row, place) =>
    [...row].map(([time, count]) => (
      <rect
        key={`${place} ${time}`}
        x={placeOf(span, time)}
        y={cells.length - 1 - place}
        width={placeOf(span, time + bucketMs) - placeOf(span, time)}
        height="1"
        opacity={0.15 + (0.85 * Math.log1p(count)) / Math.log1p(largest)}
      />
    )),
  )
})

interface MarkProps extends Omit<PlaceProps, 'bucketMs'> {
  rectangle: Rectangle
  kind: 'pointed' | 'selected' | 'explained'
}

function Mark({ rectangle, kind, cells, span }: MarkProps) {
  const { bottom, top } = rectangle
  const { from, to } = rectangle.span
  return (
    <rect
      data-part={kind}
      x={placeOf(span, from)}
      y={cells.length - top}
      width={placeOf(span, to) - placeOf(span, from)}
      height={top - bottom}
    />
  )
}

function ValueAxis({ scale: { edges }, height, unit }: { scale: HeatmapScale; height: number; unit: Unit }) {
  const step = Math.max(1, Math.ceil((tickDistance * edges.length) / Math.max(height, 1)))
  return (
    <div className={css.values} aria-hidden>
      {edges.map((edge, at) =>
        at % step === 0 ? (
          // Edges have no identity besides their place.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={at} style={{ bottom: `${(at / (edges.length - 1)) * 100}%` }}>
            {formatShort(edge, unit)}
          </span>
        ) : null,
      )}
    </div>
  )
}

export const totalOf = (row: ReadonlyMap<number, number>) => [...row.values()].reduce((sum, count) => sum + count, 0)

/** Where most of the values are, for those who do not see it. */
function summary(scale: HeatmapScale, cells: HeatmapCells, unit: Unit): string {
  const totals = cells.map(totalOf)
  const commonest = totals.indexOf(Math.max(...totals))
  const highest = formatShort(scale.edges.at(-1) ?? 0, unit)
  const lowest = formatShort(scale.edges[0] ?? 0, unit)
  const all = scale.hasLower ? `values up to ${highest}` : `values from ${lowest} to ${highest}`
  return `${all}, most often ${rangeText(scale, commonest, commonest, unit)}`
}
