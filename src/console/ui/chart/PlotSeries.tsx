import { useEffect, useRef } from 'react'
import { themeColor } from '../series/palette.ts'
import { ChartSeries } from './ChartSeries.tsx'
import { paintSeries } from './paintSeries.ts'
import { useDark } from '../theme/themeMode.ts'
import type { PlotModel } from './plotModel.ts'
import { plotScale } from './plotScale.ts'

/** The series in the colors of the theme: as elements, or painted, if the chart is dense. */
export const PlotSeries = ({ model }: { model: PlotModel }) =>
  model.dense ? (
    <SeriesCanvas model={model} />
  ) : (
    <ChartSeries model={model} colorOf={themeColor} background="var(--surface)" />
  )

/**
 * The series of a dense chart, painted on a canvas within it: a browser paints fifty long SVG paths several times slower.
 * Hovering never paints it again.
 */
function SeriesCanvas({ model }: { model: PlotModel }) {
  // A painted canvas does not follow CSS variables: another theme needs another canvas.
  return <PaintedCanvas key={String(useDark())} model={model} />
}

function PaintedCanvas({ model }: { model: PlotModel }) {
  const ref = useRef<HTMLCanvasElement>(null)
  const { width, height } = model
  useEffect(() => {
    const canvas = ref.current
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return
    resize(canvas, context, width, height)
    paintSeries(context, model, plotScale(model), getComputedStyle(canvas))
  }, [model, width, height])

  return (
    <foreignObject width={width} height={height} style={{ pointerEvents: 'none' }}>
      <canvas ref={ref} aria-hidden style={{ width, height, display: 'block' }} />
    </foreignObject>
  )
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
