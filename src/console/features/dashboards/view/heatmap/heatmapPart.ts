/** Parts of a heatmap: cells between two corners, as a range of time and of values. */
import type { HeatmapCells, HeatmapScale } from '#domain/series/heatmap.ts'
import { formatShort, type Unit } from '#domain/charts/units.ts'
import type { Span } from '#domain/time/span.ts'

/** A cell by its bucket of time and its row of the scale, both counted from the first. */
export interface Cell {
  column: number
  row: number
}

/** All cells between two, with both. */
export interface Part {
  first: Cell
  last: Cell
}

/** A part by its times and values, which is in the same place whatever the range and the scale are. */
export interface Area {
  span: Span
  /** [from, to), null for no bound. */
  values: { from: number | null; to: number | null }
}

/** A rectangle in a heatmap: times, and rows of the scale counted from the first, with shares of rows. */
export interface Rectangle {
  span: Span
  bottom: number
  top: number
}

/** Between two corners in any order. */
export function partBetween(a: Cell, b: Cell): Part {
  return {
    first: { column: Math.min(a.column, b.column), row: Math.min(a.row, b.row) },
    last: { column: Math.max(a.column, b.column), row: Math.max(a.row, b.row) },
  }
}

/** The starts of the buckets of a range, those without rows among them. The first one may begin before the range. */
export function bucketStarts(cells: HeatmapCells, { from, to }: Span, bucketMs: number): number[] {
  const [known = from] = cells.flatMap((row) => [...row.keys()])
  const first = known - Math.ceil((known - from) / bucketMs) * bucketMs
  return Array.from({ length: Math.ceil((to - first) / bucketMs) }, (_, at) => first + at * bucketMs)
}

/** The range of time of a part, within that of the heatmap. */
export function timesOf({ first, last }: Part, starts: readonly number[], span: Span, bucketMs: number): Span {
  const [from = span.from, end = span.to] = [starts[first.column], starts[last.column]]
  return { from: Math.max(from, span.from), to: Math.min(end + bucketMs, span.to) }
}

/** The values of a part, [from, to): the first row has all that are below it, the last one all that are above. */
export function valuesOf({ first, last }: Part, { edges }: HeatmapScale): Area['values'] {
  return {
    from: first.row === 0 ? null : (edges[first.row] ?? null),
    to: last.row >= edges.length - 2 ? null : (edges[last.row + 1] ?? null),
  }
}

/** The values of some rows: `120 ms to 180 ms`, `up to 1 ms`. */
export function rangeText({ edges, hasLower }: HeatmapScale, first: number, last: number, unit: Unit): string {
  const [from, to] = [edges[first] ?? 0, edges[last + 1] ?? 0].map((edge) => formatShort(edge, unit))
  if (first === 0 && hasLower) return `up to ${to}`
  return from === to ? `${from}` : `${from} to ${to}`
}

/** Rows of all cells of a part. */
export function rowsIn({ first, last }: Part, cells: HeatmapCells, starts: readonly number[]): number {
  const times = starts.slice(first.column, last.column + 1)
  return cells
    .slice(first.row, last.row + 1)
    .reduce((sum, row) => sum + times.reduce((rowSum, time) => rowSum + (row.get(time) ?? 0), 0), 0)
}

/** The place of cells. */
export const rectangleOf = (part: Part, starts: readonly number[], span: Span, bucketMs: number): Rectangle => ({
  span: timesOf(part, starts, span, bucketMs),
  bottom: part.first.row,
  top: part.last.row + 1,
})

/** The place of a part in the range and the scale as they are now; null where nothing of it is in them. */
export function rectangleOfArea({ span, values }: Area, scale: HeatmapScale, whole: Span): Rectangle | null {
  const shown = { from: Math.max(span.from, whole.from), to: Math.min(span.to, whole.to) }
  const rows = scale.edges.length - 1
  const bottom = values.from === null ? 0 : heightOf(values.from, scale)
  const top = values.to === null ? rows : heightOf(values.to, scale)
  return shown.from < shown.to && bottom < top ? { span: shown, bottom, top } : null
}

/** The height of a value in rows, 0 below the scale. */
function heightOf(value: number, { kind, edges }: HeatmapScale): number {
  const row = edges.findLastIndex((edge) => edge <= value)
  const [from, to] = [edges[row], edges[row + 1]]
  if (from === undefined) return 0
  if (to === undefined) return edges.length - 1
  return row + (kind === 'log' ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from))
}
