import { useEffect, useRef } from 'react'
import { useChartHeight, useChartWidth, useXAxisDomain, useXAxisScale, useYAxisDomain, useYAxisScale } from 'recharts'
import { type PaintScale, paintSeries } from './paintSeries.ts'
import { useDark } from '../theme/themeMode.ts'
import type { PlotModel } from './plotModel.ts'

/**
 * The series of a dense chart, painted on a canvas within it: a browser paints fifty long SVG paths several times slower.
 * Hovering never paints it again.
 */
export function SeriesCanvas({ model }: { model: PlotModel }) {
  // A painted canvas does not follow CSS variables: another theme needs another canvas.
  return <PaintedCanvas key={String(useDark())} model={model} />
}

function PaintedCanvas({ model }: { model: PlotModel }) {
  const ref = useRef<HTMLCanvasElement>(null)
  const [width, height] = [useChartWidth() ?? 0, useChartHeight() ?? 0]
  const [x, y] = [useXAxisScale(), useYAxisScale()]
  const [times, values] = [useXAxisDomain(), useYAxisDomain()]
  // The axes take over new data a moment after this component has it: before that there is nothing to paint.
  const ready =
    times?.[0] === model.span.from &&
    times[1] === model.span.to &&
    values?.[0] === model.valueTicks[0] &&
    values?.[1] === model.valueTicks.at(-1)

  useEffect(() => {
    const canvas = ref.current
    const context = canvas?.getContext('2d')
    if (!canvas || !context || !ready || !x || !y) return
    resize(canvas, context, width, height)
    const scale: PaintScale = {
      x: linear(x, model.span.from, model.span.to),
      y: model.log ? (value) => y(value) ?? 0 : linear(y, model.valueTicks[0]!, model.valueTicks.at(-1)!),
    }
    paintSeries(context, model, scale, getComputedStyle(canvas))
  }, [model, ready, x, y, width, height])

  return (
    <foreignObject width={width} height={height} style={{ pointerEvents: 'none' }}>
      <canvas ref={ref} aria-hidden style={{ width, height, display: 'block' }} />
    </foreignObject>
  )
}

/** The scale of a linear axis as a multiplication: fifty thousand calls of the axis' own take longer than the painting. */
function linear(scale: (value: number) => number | undefined, from: number, to: number): (value: number) => number {
  const start = scale(from) ?? 0
  const factor = ((scale(to) ?? 0) - start) / (to - from)
  return (value) => start + (value - from) * factor
}

/**
 * Clears the canvas and sets its units to CSS pixels. A canvas of the right size is reused: a new one takes longer
 * than drawing.
 */
function resize(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, width: number, height: number): void {
  const ratio = window.devicePixelRatio
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
  context.resetTransform()
  context.clearRect(0, 0, wide, high)
  context.scale(ratio, ratio)
}
