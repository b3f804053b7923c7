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

/**
 * Row `n` has the values from `edges[n]` on that are below `edges[n + 1]`. The first row has all below it, too, and the last one those
 * at and above the last edge.
 */
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
  const inner = Array.from({ length: count - 1 }, (_, place) =>
    roundEdge(at((place + 1) / count), at((place + 2) / count)),
  )
  const edges = [lowest, ...new Set(inner.filter((edge) => edge > lowest && edge < high)), high]
  return { kind: isLinear ? 'linear' : 'log', edges, hasLower: low < lowest }
}

/** Without the last digits, which are those of the computation, where the rows are wide enough. */
function roundEdge(edge: number, next: number): number {
  const rounded = Number(edge.toPrecision(12))
  return Math.abs(rounded - edge) < (next - edge) / 1000 ? rounded : edge
}

/**
 * The row of a value in the scale, found by its edges; NULL for what is no finite number. In SQL without a dot: deployments treat an
 * expression with a dot as text.
 */
export function placeInScale(value: string, { edges }: HeatmapScale): string {
  const starts = `array(${edges.slice(0, -1).map(sql).join(', ')})`
  return `if(isFinite(${value}), indexOf(${starts}, roundDown(${value}, ${starts})) - 1, NULL)`
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
