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
export function valuesOf({ first, last }: Part, { edges }: HeatmapScale): { from: number | null; to: number | null } {
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
    .reduce((sum, row) => sum + times.reduce((so, time) => so + (row.get(time) ?? 0), 0), 0)
}
