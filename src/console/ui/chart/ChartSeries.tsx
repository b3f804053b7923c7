import { area, line } from 'd3-shape'
import { memo, type SVGProps } from 'react'
import type { Band } from '../series/bands.ts'
import { defaultStyle, type SeriesStyle } from '../series/palette.ts'
import { isComparison, type Series } from '../series/series.ts'
import { isBar, isStacked } from './chartTypes.ts'
import type { PlotModel } from './plotModel.ts'
import { plotScale, type PlotScale } from './plotScale.ts'
import {
  barSlot,
  curves,
  fillOpacity,
  isLone,
  type LinePaint,
  linePaint,
  lineWidth,
  loneDot,
  openDash,
  openLine,
  stackEdge,
  stackGap,
} from './seriesPaint.ts'

interface ChartSeriesProps {
  model: PlotModel
  colorOf: (style: SeriesStyle) => string
  /** The color behind the chart. */
  background: string
}

/** The series as SVG elements, in drawing order: lines over areas and bars. `SeriesCanvas` draws dense ones alike. */
export const ChartSeries = memo(function ChartSeries({ model, colorOf, background }: ChartSeriesProps) {
  const { frame, type, styles, bands } = model
  const scale = plotScale(model)
  const width = lineWidth(frame.rows.length * model.xs.length)
  const beside = isStacked(type) ? [] : frame.rows.filter(({ series }) => !isComparison(series))
  const drawn = frame.rows.map((row, at) => {
    const style = styles.get(row.series.id) ?? defaultStyle
    return { row, style, shape: { model, scale, band: bands[at]!, color: colorOf(style) } }
  })
  return (
    <>
      {drawn.map(({ row, shape }) => {
        if (isComparison(row.series) || type === 'line') return null
        if (!isBar(type)) return <Area key={row.series.id} {...shape} />
        return <Bars key={row.series.id} {...shape} at={Math.max(0, beside.indexOf(row))} of={beside.length || 1} />
      })}
      {drawn.map(({ row: { series }, style, shape }) => {
        if (isBar(type) && !isComparison(series)) return null
        return <Line key={series.id} {...shape} {...{ series, background }} paint={linePaint(series, style, width)} />
      })}
    </>
  )
})

interface ShapeProps {
  model: PlotModel
  scale: PlotScale
  band: Band
  color: string
}

const hasValue = (value: number | null | undefined): value is number => value != null && Number.isFinite(value)

/** The indexes of buckets in which a shape is drawn as complete, and those that lead to or from an incomplete one. */
function partsOf({ open }: PlotModel): ((index: number) => boolean)[] {
  if (!open.includes(true)) return [() => true]
  return [(index) => !open[index], (index) => Boolean(open[index] || open[index - 1] || open[index + 1])]
}

interface LineProps extends ShapeProps {
  series: Series
  paint: LinePaint
  background: string
}

/** The line of a series, or the edge of a stacked area, with dots where a value has no neighbors. */
function Line({ model, scale, band, color, series, paint: ofSeries, background }: LineProps) {
  const { type, xs, interpolation = 'linear' } = model
  const isEdge = type === 'stackedArea' && !isComparison(series)
  const paint = isEdge ? stackEdge : ofSeries
  const paths = partsOf(model).map((isIn) =>
    line<number>()
      .curve(curves[interpolation])
      .defined((index) => isIn(index) && hasValue(band.high[index]))
      .x((index) => scale.x(xs[index]!))
      .y((index) => scale.y(band.high[index]!))([...xs.keys()]),
  )
  const stroke = (part: number, key: string, changed: SVGProps<SVGPathElement> = {}) => (
    <path
      key={key}
      data-part="line"
      d={paths[part] ?? ''}
      fill="none"
      stroke={isEdge ? background : color}
      strokeWidth={paint.width}
      strokeOpacity={paint.opacity * (part === 0 ? 1 : openLine)}
      strokeDasharray={(part === 0 ? paint.dash : openDash.line).join(' ') || undefined}
      strokeLinecap="round"
      {...changed}
    />
  )
  const outline = { stroke: background, strokeWidth: paint.width * 2.2, strokeDasharray: undefined }
  return (
    <g data-series="line">
      {[...xs.keys()]
        .filter((index) => hasValue(band.high[index]) && isLone(band.high, index))
        .map((index) => (
          <circle
            key={`dot ${index}`}
            cx={scale.x(xs[index]!)}
            cy={scale.y(band.high[index]!)}
            r={loneDot / 2}
            fill={color}
            fillOpacity={paint.opacity}
          />
        ))}
      {/* With an outline, a line is visible on bars of the same color. */}
      {series.overlay && isBar(type) && stroke(0, 'outline', outline)}
      {paths.map((path, part) => path && stroke(part, `line ${part}`))}
    </g>
  )
}

function Area({ model, scale, band, color }: ShapeProps) {
  const { type, xs, interpolation = 'linear' } = model
  const opacity = fillOpacity[type === 'stackedArea' ? 'stackedArea' : 'area']
  const paths = partsOf(model).map((isIn) =>
    area<number>()
      .curve(curves[interpolation])
      .defined((index) => isIn(index) && hasValue(band.high[index]) && hasValue(band.low[index]))
      .x((index) => scale.x(xs[index]!))
      .y0((index) => scale.y(band.low[index]!))
      .y1((index) => scale.y(band.high[index]!))([...xs.keys()]),
  )
  return (
    <g data-series="area" fill={color}>
      {paths.map((path, part) => path && <path key={part} d={path} fillOpacity={opacity[part]} />)}
    </g>
  )
}

/** One rectangle a bucket, at place `at` of `of` side by side. */
function Bars({ model, scale, band, color, at, of }: ShapeProps & { at: number; of: number }) {
  const { xs, open, type, bucketWidth } = model
  const gap = isStacked(type) ? stackGap : 0
  const { left, width } = barSlot(bucketWidth, at, of)
  return (
    <g data-series="bars" fill={color}>
      {xs.map((time, index) => {
        const [bottom, top] = [band.low[index], band.high[index]]
        if (!hasValue(bottom) || !hasValue(top) || bottom === top) return null
        const size = Math.abs(scale.y(bottom) - scale.y(top))
        // A bar of few pixels has them all.
        const cut = size > 3 * gap ? gap : 0
        return (
          <rect
            key={index}
            x={scale.x(time) + left}
            y={Math.min(scale.y(top), scale.y(bottom)) + cut}
            width={width}
            height={size - cut}
            fillOpacity={fillOpacity.bar[open[index] ? 1 : 0]}
            {...(open[index] && { stroke: color, strokeDasharray: openDash.bar.join(' ') })}
          />
        )
      })}
    </g>
  )
}
