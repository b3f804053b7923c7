/** One SVG path per series. recharts draws axes and grid; its lines cost more than all the rest, so these are ours. */
import type { Scale } from './layout.ts'
import type { Band } from './stack.ts'

/** A path of what is certain, and one of what belongs to buckets that are not complete. Either may be empty. */
export interface Path {
  sure: string
  open: string
}

interface Shape {
  times: readonly number[]
  /** Where each time lies, already in the path's words: all series share it. */
  xs: readonly string[]
  /** Indexes to draw, ascending. */
  kept: readonly number[]
  scale: Scale
  /** Whether the bucket that starts then lies wholly within what was asked, and has ended. */
  isComplete: (time: number) => boolean
}

/** A coordinate to a tenth of a pixel. */
export const px = (value: number): string => String(Math.round(value * 10) / 10)

type Edge = readonly (number | null)[]

/** A stretch of neighbours that all have a value and are all certain, or all not. Stretches of one run share their joint. */
interface Piece {
  into: keyof Path
  indexes: number[]
}

function piecesOf(values: Edge, { times, kept, isComplete }: Shape): Piece[] {
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

/** A small circle around where the path is: a value alone between two missing ones. */
const dot = 'm-1,0a1,1 0 1 0 2,0a1,1 0 1 0 -2,0'

/** A straight line through the values; a missing one breaks it, one between two missing ones is a dot. */
export function linePath(values: Edge, shape: Shape): Path {
  const path = { sure: '', open: '' }
  for (const { into, indexes } of piecesOf(values, shape)) {
    const line = along(values, indexes, shape)
    path[into] += indexes.length === 1 ? `M${line}${dot}` : `M${line}`
  }
  return path
}

/** The surface between a band's bottom and top. */
export function areaPath(band: Band, shape: Shape): Path {
  const path = { sure: '', open: '' }
  for (const { into, indexes } of piecesOf(band.high, shape)) {
    if (indexes.length === 1) continue
    path[into] += `M${along(band.high, indexes, shape)}L${along(band.low, indexes.toReversed(), shape)}Z`
  }
  return path
}

function along(edge: Edge, indexes: readonly number[], { xs, scale }: Shape): string {
  let line = ''
  // Pieces hold only indexes whose values are there.
  for (const index of indexes) line += `${line && 'L'}${xs[index]},${px(scale.y(edge[index]!))}`
  return line
}

/** Side by side in one bucket: `at` of `of`. A stacked bar is 0 of 1. */
export interface Slot {
  at: number
  of: number
}

/** One rectangle a bucket, from a band's bottom to its top. */
export function barPath(band: Band, bucketMs: number, slot: Slot, { times, kept, scale, isComplete }: Shape): Path {
  const path = { sure: '', open: '' }
  const full = scale.x(bucketMs) - scale.x(0)
  const gap = full < 4 ? 0 : slot.of > 1 ? full * 0.15 : 1
  const width = Math.max((full - gap) / slot.of, full < 1 ? 1 : 0.5)
  for (const index of kept) {
    const [low, high] = [band.low[index], band.high[index]]
    if (low == null || high == null || low === high) continue
    const time = times[index]!
    const x = scale.x(time) + slot.at * width
    const rectangle = `M${px(x)},${px(scale.y(low))}V${px(scale.y(high))}h${px(width)}V${px(scale.y(low))}Z`
    path[isComplete(time) ? 'sure' : 'open'] += rectangle
  }
  return path
}
