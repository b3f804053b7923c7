import { useColorScheme } from '@mui/material/styles'
import { memo, useEffect, useRef } from 'react'
import { type ChartType, type DrawnSeries, isBar } from './drawing.ts'
import { layersOf, lineWidth } from './layers.ts'
import type { SeriesStyle } from './palette.ts'

interface SeriesCanvasProps {
  drawn: readonly DrawnSeries[]
  styles: ReadonlyMap<string, SeriesStyle>
  type: ChartType
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

function PaintedCanvas({ drawn, styles, type, width, height }: SeriesCanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    const canvas = ref.current
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return
    const ratio = window.devicePixelRatio
    // Setting the size clears it, too.
    canvas.width = width * ratio
    canvas.height = height * ratio
    context.scale(ratio, ratio)
    context.lineCap = 'round'
    const lines = lineWidth(drawn)
    const css = getComputedStyle(canvas)
    const ground = css.getPropertyValue('--sc-palette-background-paper')
    for (const series of drawn) {
      const style = styles.get(series.id)
      if (!style) continue
      const color = css.getPropertyValue(style.variable)
      paint(context, series, { color, ground, dash: style.dash, width: lines, bars: isBar(type) })
    }
  }, [drawn, styles, type, width, height])

  return (
    <canvas ref={ref} aria-hidden style={{ position: 'absolute', inset: 0, width, height, pointerEvents: 'none' }} />
  )
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
  series: DrawnSeries,
  { color, ground, dash, width, bars }: Ink,
): void {
  context.fillStyle = color
  for (const layer of layersOf(series, dash, bars)) {
    const path = new Path2D(layer.path)
    context.globalAlpha = layer.opacity
    if (layer.kind === 'fill') {
      // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
      context.fill(path)
      continue
    }
    context.strokeStyle = layer.kind === 'halo' ? ground : color
    context.lineWidth = width * layer.weight
    context.setLineDash([...layer.dash])
    context.stroke(path)
  }
}
