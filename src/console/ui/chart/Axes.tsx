import { memo } from 'react'
import { CartesianGrid, LineChart, XAxis, YAxis } from 'recharts'
import { margin, type Plot } from './layout.ts'

interface AxesProps {
  plot: Plot
  from: number
  to: number
  timeTicks: readonly number[]
  timeLabel: (time: number) => string
  valueTicks: readonly number[]
  valueLabel: (value: number) => string
}

const text = { fontSize: 11, fill: 'var(--sc-palette-text-secondary)' }
const line = 'var(--sc-palette-divider)'
const noData: never[] = []

/** Axes and grid by recharts, without data of their own: the series are our paths, and so are pointer and tooltip. */
export const Axes = memo(function Axes(props: AxesProps) {
  const { plot, from, to, timeTicks, timeLabel, valueTicks, valueLabel } = props
  return (
    <LineChart
      width={plot.left + plot.width + margin.right}
      height={plot.top + plot.height + margin.bottom}
      margin={{ top: margin.top, right: margin.right, bottom: 0, left: 0 }}
      data={noData}
      accessibilityLayer={false}
      // A layer of its own: a moving cursor above it paints nothing of it again.
      style={{ pointerEvents: 'none', willChange: 'transform' }}
    >
      <CartesianGrid vertical={false} stroke={line} />
      <XAxis
        type="number"
        // Without a key recharts counts rows of data and passes over the domain.
        dataKey="time"
        domain={[from, to]}
        ticks={timeTicks}
        tickFormatter={timeLabel}
        height={margin.bottom}
        tick={text}
        tickLine={{ stroke: line }}
        axisLine={{ stroke: line }}
        tickSize={4}
        tickMargin={3}
        allowDataOverflow
        interval={0}
      />
      <YAxis
        type="number"
        domain={[valueTicks[0] ?? 0, valueTicks.at(-1) ?? 1]}
        ticks={valueTicks}
        tickFormatter={valueLabel}
        width={plot.left}
        tick={text}
        tickLine={false}
        axisLine={false}
        interval={0}
        allowDataOverflow
      />
    </LineChart>
  )
})
