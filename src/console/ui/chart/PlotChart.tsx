import type { ReactNode, SVGProps } from 'react'
import { formatTimeTick } from '../time/formatRangeTime.ts'
import { defaultStyle, type SeriesStyle, themeColor } from '../series/palette.ts'
import { type PlotModel, timeAxis } from './plotModel.ts'
import { plotScale, type PlotScale } from './plotScale.ts'

interface PlotChartProps extends SVGProps<SVGSVGElement> {
  model: PlotModel
  /** Colors of grid and axis, and of their labels. */
  lineColor: string
  textColor: string
  /** The color of a series; on a page that of the theme. */
  colorOf?: (style: SeriesStyle) => string
  /** SVG elements between the grid and the axes. */
  children: ReactNode
}

/** A chart with its axes and grid, on the screen as in a file. */
export function PlotChart({ model, lineColor, textColor, colorOf = themeColor, children, ...svg }: PlotChartProps) {
  const { width, height, second } = model
  const scale = plotScale(model)
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      data-plot
      {...{ width, height }}
      viewBox={`0 0 ${width} ${height}`}
      style={blockStyle}
      {...svg}
    >
      <g data-part="grid" stroke={lineColor}>
        {model.valueTicks.map((value) => (
          <line key={value} x1={scale.left} x2={scale.right} y1={scale.y(value)} y2={scale.y(value)} />
        ))}
      </g>
      {children}
      <g fontSize={11} fill={textColor}>
        <TimeAxis {...{ model, scale, lineColor }} />
        <ValueAxis ticks={model.valueTicks} format={model.formatTick} y={scale.y} x={scale.left - 8} anchor="end" />
        {second && (
          <>
            <ValueAxis ticks={second.ticks} format={second.formatTick} y={scale.y} x={scale.right + 8} anchor="start" />
            <AxisTitles {...{ model, second, colorOf }} />
          </>
        )}
      </g>
    </svg>
  )
}

const blockStyle = { display: 'block' }

/** Pixels of the line from the axis to a label. */
const tickLength = 4

interface TimeAxisProps {
  model: PlotModel
  scale: PlotScale
  lineColor: string
}

function TimeAxis({ model, scale, lineColor }: TimeAxisProps) {
  const { left, right, bottom } = scale
  const labels = bottom + tickLength + timeAxis(model).margin
  return (
    <g data-part="time-axis">
      <g stroke={lineColor}>
        <line x1={left} x2={right} y1={bottom} y2={bottom} />
        {model.timeTicks.map((time) => (
          <line key={time} x1={scale.x(time)} x2={scale.x(time)} y1={bottom} y2={bottom + tickLength} />
        ))}
      </g>
      {model.timeTicks.map((time) => (
        <text key={time} x={scale.x(time)} y={labels} dy="0.71em" textAnchor="middle">
          {formatTimeTick(time, model.zone)}
        </text>
      ))}
    </g>
  )
}

interface ValueAxisProps {
  ticks: readonly number[]
  format: (value: number) => string
  y: (value: number) => number
  /** Pixels to the labels. */
  x: number
  anchor: 'start' | 'end'
}

const ValueAxis = ({ ticks, format, y, x, anchor }: ValueAxisProps) => (
  <g data-part="value-axis" textAnchor={anchor}>
    {ticks.map((value) => (
      <text key={value} x={x} y={y(value)} dy="0.355em">
        {format(value)}
      </text>
    ))}
  </g>
)

interface AxisTitlesProps extends Required<Pick<PlotChartProps, 'model' | 'colorOf'>> {
  second: NonNullable<PlotModel['second']>
}

/** Lines beside a title at most: the legend has all. */
const maxSwatches = 3
/** Pixels from one to the next. */
const swatchStep = 14

/** The unit of each of two axes, with the colors of its lines, above it. */
function AxisTitles({ model, second, colorOf }: AxisTitlesProps) {
  const colorsOf = (isRight: boolean) =>
    model.frame.rows
      .filter(({ series }) => second.ids.has(series.id) === isRight && !series.ghost)
      .slice(0, maxSwatches)
      .map(({ series }) => colorOf(model.styles.get(series.id) ?? defaultStyle))
  const swatches = (colors: readonly string[], from: number) =>
    colors.map((color, at) => <path key={at} d={`M${from + at * swatchStep},10h10`} stroke={color} strokeWidth={3} />)
  const [left, right] = [colorsOf(false), colorsOf(true)]
  const end = model.width - right.length * swatchStep
  return (
    <>
      {swatches(left, 2)}
      <text x={left.length * swatchStep + 4} y={14}>
        {second.titles.left}
      </text>
      <text x={end - 4} y={14} textAnchor="end">
        {second.titles.right}
      </text>
      {swatches(right, end)}
    </>
  )
}
