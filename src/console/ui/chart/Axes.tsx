import { memo } from 'react'
import { CartesianGrid, Surface, Text } from 'recharts'
import { margin, type Plot, type Scale } from './layout.ts'

interface AxesProps {
  plot: Plot
  scale: Scale
  timeTicks: readonly number[]
  timeLabel: (time: number) => string
  valueTicks: readonly number[]
  valueLabel: (value: number) => string
}

const ink = 'var(--sc-palette-text-secondary)'
const line = 'var(--sc-palette-divider)'
const tickLength = 4
/** Pixels between a label and what it labels. */
const labelGap = { time: 3, value: 8 }

/**
 * Grid and labels by recharts, placed with the scale of the series. Not within one of its charts: those keep what they are
 * given in a store, and new data goes through it in three rounds of rendering that take longer than all the rest.
 */
export const Axes = memo(function Axes({ plot, scale, timeTicks, timeLabel, valueTicks, valueLabel }: AxesProps) {
  const { left, top, width, height } = plot
  const ground = top + height
  const xs = timeTicks.map((time) => scale.x(time))
  const ys = valueTicks.map((value) => scale.y(value))
  // Labels are keyed by place: one that moves is changed, not made anew.
  return (
    <Surface
      width={left + width + margin.right}
      height={ground + margin.bottom}
      fontSize={11}
      // A layer of its own: a moving cursor above it paints nothing of it again.
      style={{ display: 'block', pointerEvents: 'none', willChange: 'transform' }}
    >
      <CartesianGrid
        x={left}
        y={top}
        width={width}
        height={height}
        horizontalPoints={ys}
        // Never drawn, but without any the grid looks for the axis of a chart.
        verticalPoints={[left]}
        vertical={false}
        stroke={line}
      />
      <path d={`M${left},${ground}h${width}${xs.map((x) => `M${x},${ground}v${tickLength}`).join('')}`} stroke={line} />
      {timeTicks.map((time, place) => (
        <Text
          key={place}
          x={xs[place]!}
          y={ground + tickLength + labelGap.time}
          textAnchor="middle"
          verticalAnchor="start"
          fill={ink}
        >
          {timeLabel(time)}
        </Text>
      ))}
      {valueTicks.map((value, place) => (
        <Text key={place} x={left - labelGap.value} y={ys[place]!} textAnchor="end" verticalAnchor="middle" fill={ink}>
          {valueLabel(value)}
        </Text>
      ))}
    </Surface>
  )
})
