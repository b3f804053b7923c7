/** The scale of a heatmap, and how many rows are in each of its cells. */
import { isLossless } from '#contract/wire/lossyNumbers.ts'
import type { ChartPoint } from '#contract/stack/charts.ts'

/** Rows of a heatmap. */
export const heatmapRows = 24

/** The range of a logarithmic scale. */
const decades = 1e9

type ScaleKind = 'log' | 'linear'

export interface Bounds {
  low: number
  high: number
}

/** Row `n` reaches from `edges[n]` to `edges[n + 1]`. */
export interface HeatmapScale {
  kind: ScaleKind
  edges: number[]
  /** Values below the first edge are in the first row too. */
  hasLower: boolean
}

/** The rows between the bounds. A logarithmic scale begins at most nine decades below the greatest value, and above zero. */
export function heatmapScale(wanted: ScaleKind, { low, high }: Bounds): HeatmapScale {
  const isLinear = wanted === 'linear' || high / decades <= 0
  const lowest = isLinear ? low : Math.max(low, high / decades)
  const count = lowest < high ? heatmapRows : 1
  const at = (share: number) => (isLinear ? lowest + (high - lowest) * share : lowest * (high / lowest) ** share)
  const edges = Array.from({ length: count + 1 }, (_, place) => at(place / count))
  return { kind: isLinear ? 'linear' : 'log', edges, hasLower: low < lowest }
}

/** The place of a value in the scale, in SQL without a dot: deployments treat an expression with a dot as text. */
export function placeInScale(value: string, { kind, edges }: HeatmapScale): string {
  const [lowest = 0] = edges
  const highest = edges.at(-1) ?? 0
  const rows = edges.length - 1
  // Without `greatest` and `least`, which would count NULL as a value.
  return kind === 'linear'
    ? `floor((${value} - ${sql(lowest)}) / ${sql((highest - lowest) / rows || 1)})`
    : `if(${value} <= ${sql(lowest)}, 0, floor(log(${value} / ${sql(lowest)}) / ${sql(Math.log(highest / lowest) / rows || 1)}))`
}

/** `12.5` -> `125e-1`: no integer, which would be divided as one. */
function sql(value: number): string {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', part = ''] = digits.split('.')
  return `${whole}${part}e${Number(exponent) - part.length}`
}

/** Counts by row of the scale, then by time: epoch milliseconds. */
export type HeatmapCells = readonly ReadonlyMap<number, number>[]

/** The cells of points that are grouped by their place. Values that are NULL or no number are in no row. */
export function heatmapCells(points: readonly ChartPoint[], rows: number): HeatmapCells {
  const cells = Array.from({ length: rows }, () => new Map<number, number>())
  for (const { group, ts_bucket: time, 'series_0.data': data } of points) {
    const [named = null] = group ?? []
    const place = named === null || named === '' ? Number.NaN : Number(named)
    // The bounds themselves may be just outside, as they are rounded.
    const row = cells[Math.min(Math.max(place, 0), rows - 1)]
    const count = Number(isLossless(data) ? data.value : (data ?? 0))
    if (count > 0) row?.set(time, (row.get(time) ?? 0) + count)
  }
  return cells
}
