import { useColorScheme } from '@mui/material/styles'
import { memo, useEffect, useRef } from 'react'
import { type Drawing, type DrawnSeries, drawSeries, isBar } from './drawing.ts'
import { layersOf, linePoints, lineWidth } from './layers.ts'
import type { SeriesStyle } from './palette.ts'

interface SeriesCanvasProps {
  drawing: Drawing
  styles: ReadonlyMap<string, SeriesStyle>
  /** Pixels of the whole chart. */
  width: number
  height: number
}

/** The series. A canvas, because a browser paints fifty long SVG paths several times slower. Hovering never paints it again. */
export const SeriesCanvas = memo(function SeriesCanvas(props: SeriesCanvasProps) {
  const { colorScheme } = useColorScheme()
  // Paint does not follow CSS variables: another theme is another canvas.
  return <PaintedCanvas key={colorScheme} {...props} />
})

function PaintedCanvas({ drawing, styles, width, height }: SeriesCanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    const canvas = ref.current
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return
    clear(canvas, context, width, height)
    context.lineCap = 'round'
    const drawn = drawSeries(drawing, () => new Path2D())
    const lines = lineWidth(linePoints(drawn))
    const css = getComputedStyle(canvas)
    const ground = css.getPropertyValue('--sc-palette-background-paper')
    for (const series of drawn) {
      const style = styles.get(series.id)
      if (!style) continue
      const color = css.getPropertyValue(style.variable)
      paint(context, series, { color, ground, dash: style.dash, width: lines, bars: isBar(drawing.type) })
    }
  }, [drawing, styles, width, height])

  return (
    <canvas ref={ref} aria-hidden style={{ position: 'absolute', inset: 0, width, height, pointerEvents: 'none' }} />
  )
}

/** An empty canvas whose units are pixels of the page. One of the right size is kept: making another takes longer than to draw. */
function clear(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, width: number, height: number): void {
  const ratio = window.devicePixelRatio
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
  context.resetTransform()
  context.clearRect(0, 0, wide, high)
  context.scale(ratio, ratio)
}

interface Ink {
  color: string
  /** Colour under the chart. */
  ground: string
  dash: readonly number[]
  width: number
  bars: boolean
}

function paint(
  context: CanvasRenderingContext2D,
  series: DrawnSeries<Path2D>,
  { color, ground, dash, width, bars }: Ink,
): void {
  context.fillStyle = color
  for (const layer of layersOf(series, dash, bars)) {
    context.globalAlpha = layer.opacity
    if (layer.kind === 'fill') {
      // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
      context.fill(layer.path)
      continue
    }
    context.strokeStyle = layer.kind === 'halo' ? ground : color
    context.lineWidth = width * layer.weight
    context.setLineDash([...layer.dash])
    context.stroke(layer.path)
  }
}
