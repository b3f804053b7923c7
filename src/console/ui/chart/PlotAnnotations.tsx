/** Parts of a plot that are marked behind its series. What lies outside of the axes is cut off. */
import type { SVGProps } from 'react'
import type { Span } from '#domain/time/span.ts'
import type { PlotModel } from './plotModel.ts'
import { plotScale } from './plotScale.ts'

/** Pixels between a label and the edge beside it. */
const labelGap = 5
const labelSize = 11

interface TimeAreaProps extends SVGProps<SVGRectElement> {
  model: PlotModel
  span: Span
  /** A text in the upper corner: on the left, or where that is too late on the axis, on the right. */
  label?: string | undefined
}

/** A range of the time axis, over the whole height. */
export function TimeArea({ model, span, label, ...rect }: TimeAreaProps) {
  const scale = plotScale(model)
  const within = (time: number) => Math.min(Math.max(time, model.span.from), model.span.to)
  const [from, to] = [scale.x(within(span.from)), scale.x(within(span.to))]
  const isLate = from > scale.left + 0.7 * (scale.right - scale.left)
  return (
    <>
      <rect
        data-part="time-area"
        x={from}
        y={scale.top}
        width={to - from}
        height={scale.bottom - scale.top}
        {...rect}
      />
      {label !== undefined && (
        <text
          x={isLate ? to - labelGap : from + labelGap}
          y={scale.top + labelGap}
          dy="0.71em"
          textAnchor={isLate ? 'end' : 'start'}
          fontSize={labelSize}
          fill="var(--text)"
        >
          {label}
        </text>
      )}
    </>
  )
}

interface ValueAreaProps extends SVGProps<SVGRectElement> {
  model: PlotModel
  /** May be infinite. */
  from: number
  to: number
}

/** A range of the value axis, over the whole width. */
export function ValueArea({ model, from, to, ...rect }: ValueAreaProps) {
  const scale = plotScale(model)
  const [low, high] = [model.valueTicks[0] ?? 0, model.valueTicks.at(-1) ?? 1]
  const y = (value: number) => scale.y(Math.min(Math.max(value, low), high))
  return <rect x={scale.left} y={y(to)} width={scale.right - scale.left} height={y(from) - y(to)} {...rect} />
}

interface ValueLineProps extends SVGProps<SVGLineElement> {
  model: PlotModel
  value: number
  /** A text over its left end. */
  label?: string | undefined
}

/** A line at a value; nothing, if that is outside of the axis. */
export function ValueLine({ model, value, label, ...line }: ValueLineProps) {
  const scale = plotScale(model)
  if (value < (model.valueTicks[0] ?? 0) || value > (model.valueTicks.at(-1) ?? 1)) return null
  const y = scale.y(value)
  return (
    <>
      <line x1={scale.left} x2={scale.right} y1={y} y2={y} {...line} />
      {label !== undefined && (
        <text x={scale.left + labelGap} y={y - labelGap} fontSize={labelSize} fill={line.stroke}>
          {label}
        </text>
      )}
    </>
  )
}
