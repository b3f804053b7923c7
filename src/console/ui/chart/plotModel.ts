/** The content of a plot: bands and axes. */
import { isPlain, tickFormat } from '#domain/charts/axisUnits.ts'
import type { Unit } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'
import { type Band, bandsOf, extentOf } from '../series/bands.ts'
import { type ChartType, isBar, isStacked, type LineInterpolation } from './chartTypes.ts'
import type { SeriesStyle } from '../series/palette.ts'
import type { Frame } from '../series/series.ts'
import { axisTitle, betweenAxes, movedBands, twoUnits, type AxisUnits, type SecondAxis } from './secondAxis.ts'
import { clockTicks, logTicks, valueTicks } from './ticks.ts'

/** The drawing, and at which size. */
export interface PlotInput {
  frame: Frame
  styles: ReadonlyMap<string, SeriesStyle>
  type: ChartType
  /** Straight lines by default. */
  interpolation?: LineInterpolation | undefined
  span: Span
  bucketMs: number
  isComplete: (time: number) => boolean
  zone: Zone
  unit: Unit
  /** Pixels of the plot with its axes. Nothing is drawn at width 0. */
  width: number
  height: number
  /** The value axis starts at the lowest value and not at zero. For lines. */
  fit?: boolean | undefined
  /** A logarithmic value axis, for lines: zeros and negative values are gaps. */
  log?: boolean | undefined
  /** Values that the value axis covers besides those of the series. */
  include?: readonly number[] | undefined
  /** Leaves room for marks: on the time axis, and for their labels over the plot. */
  marked?: boolean | undefined
}

export interface PlotModel extends PlotInput {
  bands: readonly Band[]
  /** Where each time is drawn, epoch milliseconds: a bar and what lies over it in the middle of its bucket. */
  xs: readonly number[]
  /** Whether each bucket is not complete. */
  open: readonly boolean[]
  /** With more points, the series are drawn on a canvas instead of as elements. */
  dense: boolean
  timeTicks: number[]
  valueTicks: number[]
  formatTick: (value: number) => string
  /** Pixels that the labels of the value axis take. */
  axisWidth: number
  /** For lines in two units. */
  second: SecondAxis | null
  /** Pixels of one bucket. */
  bucketWidth: number
}

/** Around the axes. The second one takes the place of the margin, and both have titles then, above the labels of marks. */
const plotMargin = ({ second, marked }: Pick<PlotModel, 'second' | 'marked'>) => ({
  top: (second ? 30 : 10) + (marked ? 8 : 0),
  right: second ? 0 : 20,
  bottom: 0,
  left: 0,
})
/** Pixels between the time axis and its labels, and of both. */
export const timeAxis = ({ marked }: Pick<PlotModel, 'marked'>) =>
  marked ? { margin: 10, height: 31 } : { margin: 3, height: 24 }

/** Where the series are drawn inside of a plot, pixels from its top left corner. */
export function plotArea(model: Pick<PlotModel, 'axisWidth' | 'second' | 'width' | 'height' | 'marked'>) {
  const { axisWidth, second, width, height } = model
  const { top, right } = plotMargin(model)
  return { left: axisWidth, right: width - right - (second?.width ?? 0), top, bottom: height - timeAxis(model).height }
}

/** Elements that are rendered faster than a canvas paints: points of lines, and bars, which cost several times as much. */
const maxElements = { points: 800, bars: 300 }

/** The model of a plot. Without `canvas`, a dense one is drawn with elements too. */
export function plotModel(input: PlotInput, canvas = true): PlotModel {
  const { frame, type, span, bucketMs, zone, unit, width, height, isComplete, fit = false, include = [] } = input
  const logExtent = input.log && type === 'line' ? positiveExtent(frame, include) : null
  const all = bandsOf(frame, isStacked(type))
  const units = twoUnits({ rows: frame.rows, type, log: input.log, unit })
  const left = all.filter((_, at) => !units?.isRight[at])
  const [low, high] = extentOf(left, fit && type === 'line')
  const extent = [Math.min(low, ...include), Math.max(high, ...include)] as const
  const count = Math.max(2, Math.floor(height / 56))
  const leftUnit = units?.left ?? unit
  const whole = isPlain(leftUnit) && hasWholeValues(left)
  const values = logExtent ? logTicks(logExtent) : valueTicks(extent, count, leftUnit, whole)
  const formatTick = tickFormat(values, leftUnit)
  const axisWidth = widthOf(values.map(formatTick))
  const right = units && rightAxis(frame, all, units, { values, count, fit })
  const second = right?.second ?? null
  const bands = logExtent ? all.map((band) => ({ ...band, high: band.high.map(positive) })) : (right?.bands ?? all)
  const area = plotArea({ axisWidth, second, width, height, marked: input.marked })
  const plotWidth = Math.max(1, area.right - area.left)
  const xs = isBar(type) ? frame.times.map((time) => time + bucketMs / 2) : frame.times
  const dense = canvas && xs.length * bands.length > (isBar(type) ? maxElements.bars : maxElements.points)
  return {
    ...input,
    log: logExtent !== null,
    bands,
    xs,
    dense,
    open: frame.times.map((time) => !isComplete(time)),
    timeTicks: clockTicks(span.from, span.to, Math.max(2, plotWidth / 95), zone),
    valueTicks: values,
    formatTick,
    axisWidth,
    second,
    bucketWidth: (plotWidth * bucketMs) / (span.to - span.from),
  }
}

/** Pixels of labels with their distance from the plot. */
const widthOf = (labels: readonly string[]): number =>
  Math.round(Math.max(...labels.map(({ length }) => length)) * 6.6 + 14)

interface LeftAxis {
  /** Its ticks. */
  values: readonly number[]
  /** How many ticks there is room for. */
  count: number
  fit: boolean
}

/** The second axis, and all bands in values of the left one. */
function rightAxis(
  { rows }: Frame,
  all: readonly Band[],
  { left, right, isRight }: AxisUnits,
  { values, count, fit }: LeftAxis,
): { second: SecondAxis; bands: Band[] } {
  const own = all.filter((_, at) => isRight[at])
  const ticks = valueTicks(extentOf(own, fit), count, right, isPlain(right) && hasWholeValues(own))
  const move = betweenAxes(ticks, values)
  const format = tickFormat(ticks, right)
  const moved = ticks.map(move)
  const leftLabels = values.map(tickFormat(values, left))
  const labels = new Map(moved.map((place, at) => [place, format(ticks[at] ?? 0)]))
  const second = {
    titles: { left: axisTitle(left, leftLabels), right: axisTitle(right, [...labels.values()]) },
    ids: new Set(rows.filter((_, at) => isRight[at]).map(({ series }) => series.id)),
    ticks: moved,
    formatTick: (place: number) => labels.get(place) ?? '',
    width: widthOf([...labels.values()]),
  }
  return { second, bands: movedBands(all, isRight, move) }
}

const positive = (value: number | null): number | null => (value !== null && value > 0 ? value : null)

/** The lowest and highest positive value; null if there is none. */
function positiveExtent(frame: Frame, include: readonly number[]): [number, number] | null {
  let [low, high] = [Infinity, 0]
  for (const values of [...frame.rows.map((row) => row.values), include])
    for (const value of values) {
      if (value === null || !(value > 0) || value === Infinity) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  return high > 0 ? [low, high] : null
}

/** Whether every value is a whole number, as counts are. */
function hasWholeValues(bands: readonly Band[]): boolean {
  return bands.every(({ high }) => high.every((value) => value === null || Number.isInteger(value)))
}
