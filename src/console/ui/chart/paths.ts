/** One path per series. recharts draws grid and labels; its lines cost more than all the rest, so these are ours. */
import type { Scale } from './layout.ts'
import type { Pen } from './pen.ts'
import type { Band } from './stack.ts'

/** A path of what is certain, and one of what belongs to buckets that are not complete; null where there is none of it. */
export interface Path<P extends Pen> {
  sure: P | null
  open: P | null
}

/** What all series of a chart share, and the pens that draw them. */
export interface Shape<P extends Pen> {
  times: readonly number[]
  /** Pixels at which each time lies. */
  xs: readonly number[]
  /** Indexes to draw, ascending. */
  kept: readonly number[]
  scale: Scale
  /** Whether the bucket that starts then lies wholly within what was asked, and has ended. */
  isComplete: (time: number) => boolean
  /** Gives a pen for each path. */
  newPen: () => P
}

type Edge = readonly (number | null)[]

/** A stretch of neighbours that all have a value and are all certain, or all not. Stretches of one run share their joint. */
interface Piece {
  into: 'sure' | 'open'
  indexes: number[]
}

function piecesOf(values: Edge, { times, kept, isComplete }: Shape<Pen>): Piece[] {
  const pieces: Piece[] = []
  let piece: Piece | null = null
  let before = -1
  for (const index of kept) {
    if (values[index] == null) {
      piece = null
      continue
    }
    const complete = isComplete(times[index]!)
    if (!piece) pieces.push((piece = { into: complete ? 'sure' : 'open', indexes: [index] }))
    else {
      const into = complete && isComplete(times[before]!) ? 'sure' : 'open'
      // What joins a certain point to an open one is as open as the open one.
      if (into !== piece.into && piece.indexes.length === 1) piece.into = into
      if (into === piece.into) piece.indexes.push(index)
      else pieces.push((piece = { into, indexes: [before, index] }))
    }
    before = index
  }
  return pieces
}

/** A straight line through the values; a missing one breaks it, one between two missing ones is a dot. */
export function linePath<P extends Pen>(values: Edge, shape: Shape<P>): Path<P> {
  const path: Path<P> = { sure: null, open: null }
  for (const { into, indexes } of piecesOf(values, shape)) {
    const pen = (path[into] ??= shape.newPen())
    const [first] = indexes
    if (indexes.length === 1) dot(pen, shape.xs[first!]!, shape.scale.y(values[first!]!))
    else along(pen, values, indexes, shape)
  }
  return path
}

/** The surface between a band's bottom and top. */
export function areaPath<P extends Pen>(band: Band, shape: Shape<P>): Path<P> {
  const path: Path<P> = { sure: null, open: null }
  for (const { into, indexes } of piecesOf(band.high, shape)) {
    if (indexes.length === 1) continue
    const pen = (path[into] ??= shape.newPen())
    along(pen, band.high, indexes, shape)
    for (const index of indexes.toReversed()) pen.lineTo(shape.xs[index]!, shape.scale.y(band.low[index]!))
    pen.closePath()
  }
  return path
}

function along(pen: Pen, edge: Edge, indexes: readonly number[], { xs, scale }: Shape<Pen>): void {
  let drawing = false
  for (const index of indexes) {
    // Pieces hold only indexes whose values are there.
    const y = scale.y(edge[index]!)
    if (drawing) pen.lineTo(xs[index]!, y)
    else pen.moveTo(xs[index]!, y)
    drawing = true
  }
}

/** A pixel around a place: so small, eight corners are round. */
function dot(pen: Pen, x: number, y: number): void {
  pen.moveTo(x + 1, y)
  for (let corner = 1; corner < 8; corner++) {
    const angle = (corner * Math.PI) / 4
    pen.lineTo(x + Math.cos(angle), y + Math.sin(angle))
  }
  pen.closePath()
}

/** Side by side in one bucket: `at` of `of`. A stacked bar is 0 of 1. */
export interface Slot {
  at: number
  of: number
}

/** One rectangle a bucket, from a band's bottom to its top. */
export function barPath<P extends Pen>(band: Band, bucketMs: number, slot: Slot, shape: Shape<P>): Path<P> {
  const { times, xs, kept, scale, isComplete, newPen } = shape
  const path: Path<P> = { sure: null, open: null }
  const full = scale.x(bucketMs) - scale.x(0)
  const gap = full < 4 ? 0 : slot.of > 1 ? full * 0.15 : 1
  const width = Math.max((full - gap) / slot.of, full < 1 ? 1 : 0.5)
  for (const index of kept) {
    const [low, high] = [band.low[index], band.high[index]]
    if (low == null || high == null || low === high) continue
    const pen = (path[isComplete(times[index]!) ? 'sure' : 'open'] ??= newPen())
    const left = xs[index]! + slot.at * width
    const [bottom, top] = [scale.y(low), scale.y(high)]
    pen.moveTo(left, bottom)
    pen.lineTo(left, top)
    pen.lineTo(left + width, top)
    pen.lineTo(left + width, bottom)
    pen.closePath()
  }
  return path
}
