import type { ComponentProps, ReactNode } from 'react'
import { CartesianGrid, ComposedChart, XAxis, YAxis } from 'recharts'
import type { Zone } from '#domain/time/zone.ts'
import { type PlotModel, plotMargin, timeAxisHeight } from './plotModel.ts'
import { formatTimeTick } from '../time/formatRangeTime.ts'

interface PlotChartProps extends Omit<ComponentProps<typeof ComposedChart>, 'data' | 'width' | 'height'> {
  model: PlotModel
  /** Colours of grid and axis, and of their labels. */
  lineColor: string
  textColor: string
  children: ReactNode
}

/** A chart with its axes and grid, on the screen as in a file. */
export function PlotChart({ model, lineColor, textColor, children, ...chart }: PlotChartProps) {
  const { span, valueTicks } = model
  const tick = { fontSize: 11, fill: textColor }
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
        height={timeAxisHeight}
        tickSize={4}
        tickMargin={3}
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
      {children}
    </ComposedChart>
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
