/** From series to paths: extent, stacking, reduction to pixels. The same for the screen and for a file, but for the pens. */
import type { Plot, Scale } from './layout.ts'
import { areaPath, barPath, linePath, type Path } from './paths.ts'
import type { Pen } from './pen.ts'
import { reduceToPixels, tallestPerColumn } from './reduce.ts'
import { type Frame, type FrameRow, isAside } from './series.ts'
import { type Band, groundBands, stackBands } from './stack.ts'
import { valueTicks } from './ticks.ts'
import { formatShort, type Unit } from './units.ts'

export const chartTypes = ['line', 'area', 'stackedArea', 'bar', 'stackedBar'] as const
export type ChartType = (typeof chartTypes)[number]

export const chartTypeNames: Record<ChartType, string> = {
  line: 'Line',
  area: 'Area',
  stackedArea: 'Stacked area',
  bar: 'Bar',
  stackedBar: 'Stacked bar',
}

export const isBar = (type: ChartType): boolean => type === 'bar' || type === 'stackedBar'
const isStacked = (type: ChartType): boolean => type === 'stackedArea' || type === 'stackedBar'

/** Where each row stands. Rows of another place stack among themselves, those of another period not at all. */
export function bandsOf(frame: Frame, type: ChartType): Band[] {
  if (!isStacked(type)) return groundBands(frame.rows.map(({ values }) => values))
  const stacks = new Map<FrameRow, Band>()
  for (const overlaid of [false, true]) {
    const rows = frame.rows.filter(({ series }) => !series.ghost && (series.overlay ?? false) === overlaid)
    stackBands(rows.map(({ values }) => values)).forEach((band, index) => stacks.set(rows[index]!, band))
  }
  return frame.rows.map((row) => stacks.get(row) ?? groundBands([row.values])[0]!)
}

/** Lowest and highest drawn value, zero included: a value axis that does not start at zero exaggerates. */
export function extentOf(bands: readonly Band[]): [number, number] {
  let low = 0
  let high = 0
  // Bands on the ground share their bottom.
  for (const edge of new Set(bands.flatMap((band) => [band.low, band.high]))) {
    for (const value of edge) {
      if (value == null || !Number.isFinite(value)) continue
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  return [low, high]
}

export interface ValueAxis {
  ticks: readonly number[]
  labels: readonly string[]
  label: (value: number) => string
}

/** The axis that holds every drawn value in a height of so many pixels. */
export function valueAxis(frame: Frame, bands: readonly Band[], height: number, unit: Unit): ValueAxis {
  const whole = unit === 'number' && areWhole(frame)
  const ticks = valueTicks(extentOf(bands), Math.max(2, Math.floor(height / 56)), unit, whole)
  const label = (value: number) => formatShort(value, unit)
  return { ticks, labels: ticks.map(label), label }
}

/** Whether every value is a whole number, as counts are. */
export function areWhole(frame: Frame): boolean {
  return frame.rows.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))
}

export interface DrawnSeries<P extends Pen> {
  id: string
  line: Path<P> | null
  fill: Path<P> | null
  /** Points that its line goes through, at most. */
  points: number
  ghost: boolean
  overlay: boolean
}

export interface Drawing {
  frame: Frame
  bands: readonly Band[]
  type: ChartType
  plot: Plot
  scale: Scale
  bucketMs: number
  isComplete: (time: number) => boolean
}

/** The paths of every row, in drawing order, each with pens of its own. */
export function drawSeries<P extends Pen>(drawing: Drawing, newPen: () => P): DrawnSeries<P>[] {
  const { frame, bands, type, plot, scale, bucketMs, isComplete } = drawing
  const { times } = frame
  const beside = frame.rows.filter(({ series }) => !isAside(series)).length
  const xs = times.map((time) => scale.x(time))
  // A line over bars goes through their middle.
  const centers = isBar(type) ? times.map((time) => scale.x(time + bucketMs / 2)) : xs
  const shared = sharedIndexes(frame, bands, type, plot)
  let place = 0
  return frame.rows.map(({ series }, row) => {
    const band = bands[row]!
    const kept = shared ?? reduceToPixels(times, band.high, plot.width)
    const shape = { times, xs, kept, scale, isComplete, newPen }
    const drawn = { id: series.id, points: kept.length, ghost: series.ghost ?? false, overlay: series.overlay ?? false }
    const line = () => linePath(band.high, isBar(type) ? { ...shape, xs: centers } : shape)
    if (type === 'line' || isAside(series)) return { ...drawn, line: line(), fill: null }
    if (!isBar(type)) return { ...drawn, line: line(), fill: areaPath(band, shape) }
    const slot = type === 'bar' ? { at: place++, of: beside } : { at: 0, of: 1 }
    return { ...drawn, line: null, fill: barPath(band, bucketMs, slot, shape) }
  })
}

/** Bars and stacks are drawn at the same times for all series, else they would not lie on each other; null for lines. */
function sharedIndexes(frame: Frame, bands: readonly Band[], type: ChartType, plot: Plot): readonly number[] | null {
  if (!isBar(type) && !isStacked(type)) return null
  const tops = frame.times.map((_, index) =>
    bands.reduce<number | null>((top, band) => larger(top, band.high[index]), null),
  )
  return (isBar(type) ? tallestPerColumn : reduceToPixels)(frame.times, tops, plot.width)
}

function larger(a: number | null, b: number | null | undefined): number | null {
  if (a === null || b == null) return a ?? b ?? null
  return Math.max(a, b)
}
