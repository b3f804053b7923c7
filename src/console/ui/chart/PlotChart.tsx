import type { ComponentProps, ReactNode } from 'react'
import { CartesianGrid, ComposedChart, XAxis, YAxis } from 'recharts'
import type { Zone } from '#domain/time/zone.ts'
import { defaultStyle, type SeriesStyle } from '../series/palette.ts'
import { type PlotModel, plotMargin, timeAxis } from './plotModel.ts'
import { formatTimeTick } from '../time/formatRangeTime.ts'

interface PlotChartProps extends Omit<ComponentProps<typeof ComposedChart>, 'data' | 'width' | 'height'> {
  model: PlotModel
  /** Colours of grid and axis, and of their labels. */
  lineColor: string
  textColor: string
  /** The colour of a series; on a page that of the theme. */
  colorOf?: (style: SeriesStyle) => string
  children: ReactNode
}

/** A chart with its axes and grid, on the screen as in a file. */
export function PlotChart({ model, lineColor, textColor, colorOf = themeColor, children, ...chart }: PlotChartProps) {
  const { span, valueTicks } = model
  const tick = { fontSize: 11, fill: textColor }
  const axis = timeAxis(model)
  return (
    <ComposedChart
      data={model.rows}
      width={model.width}
      height={model.height}
      margin={plotMargin(model)}
      accessibilityLayer={false}
      barCategoryGap={model.type === 'bar' && model.bands.length > 1 ? '7.5%' : 0.5}
      barGap={0}
      maxBarSize={model.bucketWidth}
      stackOffset="sign"
      {...chart}
    >
      <CartesianGrid vertical={false} syncWithTicks stroke={lineColor} />
      <XAxis
        dataKey="x"
        type="number"
        domain={[span.from, span.to]}
        ticks={model.timeTicks}
        niceTicks="none"
        interval={0}
        height={axis.height}
        tickSize={4}
        tickMargin={axis.margin}
        tick={tick}
        tickFormatter={timeFormatterOf(model.zone)}
        stroke={lineColor}
      />
      <YAxis
        scale={model.log ? 'log' : 'linear'}
        domain={[valueTicks[0]!, valueTicks.at(-1)!]}
        // A canvas gives the axis no values to extend to.
        allowDataOverflow={model.dense || model.log === true}
        ticks={valueTicks}
        niceTicks="none"
        interval={0}
        width={model.axisWidth}
        tickSize={0}
        tickMargin={8}
        tick={tick}
        tickFormatter={model.formatTick}
        axisLine={false}
      />
      {model.second && (
        <YAxis
          yAxisId="second"
          orientation="right"
          domain={[valueTicks[0]!, valueTicks.at(-1)!]}
          allowDataOverflow
          ticks={model.second.ticks}
          niceTicks="none"
          interval={0}
          width={model.second.width}
          tickSize={0}
          tickMargin={8}
          tick={tick}
          tickFormatter={model.second.formatTick}
          axisLine={false}
        />
      )}
      {model.second && <AxisTitles {...{ model, second: model.second, textColor, colorOf }} />}
      {children}
    </ComposedChart>
  )
}

const themeColor = ({ variable }: SeriesStyle) => `var(${variable})`

interface AxisTitlesProps extends Required<Pick<PlotChartProps, 'model' | 'textColor' | 'colorOf'>> {
  second: NonNullable<PlotModel['second']>
}

/** Lines beside a title at most: the legend has all. */
const maxSwatches = 3
/** Pixels from one to the next. */
const swatchStep = 14

/** The unit of each of two axes, with the colours of its lines, above it. */
function AxisTitles({ model, second, textColor, colorOf }: AxisTitlesProps) {
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
    <g fontSize={11} fill={textColor}>
      {swatches(left, 2)}
      <text x={left.length * swatchStep + 4} y={14}>
        {second.titles.left}
      </text>
      <text x={end - 4} y={14} textAnchor="end">
        {second.titles.right}
      </text>
      {swatches(right, end)}
    </g>
  )
}

const timeFormatters = new Map<Zone, (time: number) => string>()

/** The same function for the same zone: another one would draw the axis again. */
function timeFormatterOf(zone: Zone): (time: number) => string {
  const known = timeFormatters.get(zone)
  if (known) return known
  const format = (time: number) => formatTimeTick(time, zone)
  timeFormatters.set(zone, format)
  return format
}
