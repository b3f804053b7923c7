import { useColorScheme } from '@mui/material/styles'
import { memo, useEffect, useRef } from 'react'
import { type ChartType, type DrawnSeries, isBar } from './drawing.ts'
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
    // Wider lines than one pixel take three times as long, and run together where points lie dense.
    context.lineWidth = isDense(drawn) ? 1 : 1.5
    const css = getComputedStyle(canvas)
    for (const series of drawn) {
      const style = styles.get(series.id)
      if (style) paint(context, series, { ...style, color: css.getPropertyValue(style.variable) }, isBar(type))
    }
  }, [drawn, styles, type, width, height])

  return (
    <canvas ref={ref} aria-hidden style={{ position: 'absolute', inset: 0, width, height, pointerEvents: 'none' }} />
  )
}

const ghostOpacity = 0.55
const ghostDash = [2, 4]
const openDash = [3, 4]
interface Ink extends SeriesStyle {
  color: string
}

function paint(context: CanvasRenderingContext2D, series: DrawnSeries, ink: Ink, bars: boolean): void {
  const { line, fill, ghost } = series
  const opacity = ghost ? ghostOpacity : 1
  context.fillStyle = ink.color
  context.strokeStyle = ink.color
  if (fill) {
    const [sure, open] = [new Path2D(fill.sure), new Path2D(fill.open)]
    fillWith(context, sure, opacity * (bars ? 0.9 : 0.16))
    fillWith(context, open, opacity * (bars ? 0.3 : 0.05))
    if (bars) strokeWith(context, open, opacity, [2, 2])
  }
  if (!line) return
  strokeWith(context, new Path2D(line.sure), opacity, ghost ? ghostDash : ink.dash)
  strokeWith(context, new Path2D(line.open), opacity, openDash)
}

/** Letters of all paths together that make a drawing dense: about ten a point. */
const denseLetters = 50_000

function isDense(drawn: readonly DrawnSeries[]): boolean {
  return drawn.reduce((sum, { line }) => sum + (line?.sure.length ?? 0), 0) > denseLetters
}

function fillWith(context: CanvasRenderingContext2D, path: Path2D, opacity: number): void {
  context.globalAlpha = opacity
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  context.fill(path)
}

function strokeWith(context: CanvasRenderingContext2D, path: Path2D, opacity: number, dash: readonly number[]): void {
  context.globalAlpha = opacity
  context.setLineDash([...dash])
  context.stroke(path)
}
