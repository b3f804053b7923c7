/** Paints the series of a dense chart on a canvas: as ChartSeries draws them, on the pixels that there are. */
import type { CurveFactory, CurveGenerator } from 'd3-shape'
import type { Band } from '../series/bands.ts'
import { isBar, isStacked } from './chartTypes.ts'
import { defaultStyle } from '../series/palette.ts'
import type { PlotModel } from './plotModel.ts'
import type { PlotScale } from './plotScale.ts'
import { reduceToPixels, tallestPerColumn } from '../series/reduce.ts'
import { isComparison } from '../series/series.ts'
import {
  barSlot,
  curves,
  fillOpacity,
  isLone,
  type LinePaint,
  linePaint,
  lineWidth,
  loneDot,
  openDash,
  openLine,
  stackEdge,
  stackGap,
} from './seriesPaint.ts'

/** Pixels of a time and of a value. */
type PaintScale = Pick<PlotScale, 'x' | 'y'>

interface Painting {
  context: CanvasRenderingContext2D
  scale: PaintScale
  /** Pixels of each time. */
  xs: readonly number[]
  /** Whether the bucket at an index is not complete. */
  isOpen: (index: number) => boolean
  bucketWidth: number
  curve: CurveFactory
}

export function paintSeries(
  context: CanvasRenderingContext2D,
  model: PlotModel,
  scale: PaintScale,
  css: CSSStyleDeclaration,
): void {
  const { frame, bands, type, styles, open, bucketWidth, interpolation = 'linear' } = model
  const isOpen = (index: number) => open[index] ?? false
  const curve = curves[interpolation]
  const painting: Painting = { context, scale, xs: model.xs.map(scale.x), isOpen, bucketWidth, curve }
  const columns = Math.round(scale.x(model.span.to) - scale.x(model.span.from))
  const shared = sharedIndexes(model, columns)
  const kept = bands.map((band) => shared ?? reduceToPixels(frame.times, band.high, columns))
  const width = lineWidth(kept.reduce((sum, { length }) => sum + length, 0))
  const slots = isStacked(type) ? 1 : frame.rows.filter(({ series }) => !isComparison(series)).length
  let slot = 0
  context.lineCap = 'round'
  frame.rows.forEach(({ series }, at) => {
    const style = styles.get(series.id) ?? defaultStyle
    const [band, indexes] = [bands[at]!, kept[at]!]
    context.fillStyle = context.strokeStyle = css.getPropertyValue(style.variable)
    if (isBar(type) && !isComparison(series)) {
      const stacked = isStacked(type)
      paintBars(painting, band, indexes, { at: stacked ? 0 : slot++, of: slots, gap: stacked ? stackGap : 0 })
      return
    }
    if ((type === 'area' || type === 'stackedArea') && !isComparison(series)) {
      paintArea(painting, band, indexes, fillOpacity[type])
      if (type === 'stackedArea') {
        context.strokeStyle = css.getPropertyValue('--surface')
        paintLine(painting, band.high, indexes, stackEdge)
        context.strokeStyle = css.getPropertyValue(style.variable)
        for (const index of indexes) if (isLone(band.high, index)) paintLine(painting, band.high, [index], stackEdge)
        return
      }
    }
    const paint = linePaint(series, style, width)
    if (series.overlay && isBar(type)) {
      context.strokeStyle = css.getPropertyValue('--surface')
      paintLine(painting, band.high, indexes, { ...paint, width: paint.width * 2.2, dash: [] })
      context.strokeStyle = css.getPropertyValue(style.variable)
    }
    paintLine(painting, band.high, indexes, paint)
  })
}

/** Bars and stacks are drawn at the same times for all series, else they would not lie on each other; null for lines. */
function sharedIndexes({ frame, bands, type }: PlotModel, columns: number): readonly number[] | null {
  if (!isBar(type) && !isStacked(type)) return null
  const tops = frame.times.map((_, index) => {
    const values = bands.flatMap(({ high }) => high[index] ?? [])
    return values.length > 0 ? Math.max(...values) : null
  })
  return (isBar(type) ? tallestPerColumn : reduceToPixels)(frame.times, tops, columns)
}

interface Run {
  /** It leads to or from a bucket that is not complete. */
  open: boolean
  indexes: number[]
}

/** Neighbours that all have a value. A run shares its first point with the one before it. */
function runsOf(values: Band['high'], indexes: readonly number[], isOpen: (index: number) => boolean): Run[] {
  const runs: Run[] = []
  let before = -1
  for (const index of indexes) {
    if (values[index] == null) {
      before = -1
      continue
    }
    const open = isOpen(index) || (before >= 0 && isOpen(before))
    const last = runs.at(-1)
    if (before >= 0 && last?.open === open) last.indexes.push(index)
    else runs.push({ open, indexes: before >= 0 ? [before, index] : [index] })
    before = index
  }
  return runs
}

/** Adds a line through the values at some indexes to a path, whose order may be reversed. */
function trace(path: CurveGenerator, { scale, xs }: Painting, values: Band['high'], run: readonly number[]): void {
  path.lineStart()
  for (const index of run) path.point(xs[index]!, scale.y(values[index]!))
  path.lineEnd()
}

function paintLine(painting: Painting, values: Band['high'], indexes: readonly number[], paint: LinePaint) {
  const { context, isOpen, curve } = painting
  for (const { open, indexes: run } of runsOf(values, indexes, isOpen)) {
    context.globalAlpha = paint.opacity * (open ? openLine : 1)
    context.beginPath()
    const [first] = run
    if (run.length === 1 && first !== undefined && isLone(values, first)) {
      // A canvas strokes nothing of a line without length, whatever its ends are.
      context.fillStyle = context.strokeStyle
      context.arc(painting.xs[first]!, painting.scale.y(values[first]!), loneDot / 2, 0, 2 * Math.PI)
      context.fill()
      continue
    }
    trace(curve(context), painting, values, run)
    context.lineWidth = paint.width
    context.setLineDash([...(open ? openDash.line : paint.dash)])
    context.stroke()
  }
}

function paintArea(
  painting: Painting,
  { low, high }: Band,
  indexes: readonly number[],
  [complete, unfinished]: readonly [number, number],
): void {
  const { context, isOpen, curve } = painting
  for (const { open, indexes: run } of runsOf(high, indexes, isOpen)) {
    context.beginPath()
    const area = curve(context)
    area.areaStart()
    trace(area, painting, high, run)
    trace(area, painting, low, run.toReversed())
    area.areaEnd()
    context.globalAlpha = open ? unfinished : complete
    context.fill()
  }
}

/** One rectangle a bucket, at place `at` of `of` side by side. */
function paintBars(
  painting: Painting,
  { low, high }: Band,
  indexes: readonly number[],
  slot: { at: number; of: number; gap: number },
) {
  const { context, scale, xs, isOpen, bucketWidth } = painting
  const { left: offset, width } = barSlot(bucketWidth, slot.at, slot.of)
  context.lineWidth = 1
  context.setLineDash(openDash.bar)
  for (const index of indexes) {
    const [bottom, top] = [low[index], high[index]]
    if (bottom == null || top == null || bottom === top) continue
    const left = xs[index]! + offset
    const size = Math.abs(scale.y(bottom) - scale.y(top))
    const cut = size > 3 * slot.gap ? slot.gap : 0
    const bar = [left, Math.min(scale.y(top), scale.y(bottom)) + cut, width, size - cut] as const
    context.globalAlpha = fillOpacity.bar[isOpen(index) ? 1 : 0]
    context.fillRect(...bar)
    context.globalAlpha = 1
    if (isOpen(index)) context.strokeRect(...bar)
  }
}
