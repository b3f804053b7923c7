/** The queries of a heatmap, which the API answers as counts by groups: first the bounds of its values, then how many are in each bucket. */
import { groupingOf, withoutDots } from '../portableSql.ts'
import type { SelectItem, TileConfig } from './tileConfig.ts'

/** Rows of a heatmap. */
export const heatmapRows = 24

/** The range of a logarithmic scale. */
const decades = 1e9

export interface Bounds {
  low: number
  high: number
}

/** Row `n` reaches from `edges[n]` to `edges[n + 1]`. */
export interface HeatmapScale {
  kind: 'log' | 'linear'
  edges: number[]
  /** Values below the first edge are in the first row too. */
  hasLower: boolean
}

type HeatmapItem = SelectItem & { countExpression?: unknown; heatmapScaleType?: unknown }

const itemOf = ({ select }: TileConfig): HeatmapItem => (Array.isArray(select) ? select[0] : undefined) ?? {}

/** Why the API cannot answer a heatmap; null if it can. */
export function heatmapProblem(config: TileConfig): string | null {
  const { countExpression } = itemOf(config)
  const counted = typeof countExpression === 'string' ? countExpression.replaceAll(/\s/g, '').toLowerCase() : ''
  return ['', 'count()', 'count(*)'].includes(counted)
    ? null
    : `Heatmaps that count ${String(countExpression)} cannot be drawn: the API only counts rows in buckets.`
}

/** Reads the least and the greatest value. @param maps columns whose keys are attributes */
export function boundsConfig(config: TileConfig, maps: readonly string[]): TileConfig {
  const { valueExpression } = itemOf(config)
  const value = valueExpression?.trim() ? numberOf(valueExpression, maps) : valueExpression
  const item = { ...conditionOf(config), ...(value !== undefined && { valueExpression: value }) }
  const { numberFormat } = config
  return {
    displayType: 'table',
    ...(config.sourceId !== undefined && { sourceId: config.sourceId }),
    ...(numberFormat !== undefined && { numberFormat }),
    select: [
      { ...item, aggFn: 'min' },
      { ...item, aggFn: 'max' },
    ],
  }
}

/** The rows between the bounds. A logarithmic scale begins at most nine decades below the greatest value, and above zero. */
export function heatmapScale(config: TileConfig, { low, high }: Bounds): HeatmapScale {
  const isLinear = itemOf(config).heatmapScaleType === 'linear' || high / decades <= 0
  const lowest = isLinear ? low : Math.max(low, high / decades)
  const count = lowest < high ? heatmapRows : 1
  const at = (share: number) => (isLinear ? lowest + (high - lowest) * share : lowest * (high / lowest) ** share)
  const edges = Array.from({ length: count + 1 }, (_, place) => at(place / count))
  return { kind: isLinear ? 'linear' : 'log', edges, hasLower: low < lowest }
}

/** Counts the rows of each bucket of time and of the scale, in the same range as the bounds. */
export function distributionConfig(
  config: TileConfig,
  { kind, edges }: HeatmapScale,
  maps: readonly string[],
): TileConfig {
  const { valueExpression = '' } = itemOf(config)
  const [lowest = 0] = edges
  const highest = edges.at(-1) ?? 0
  const rows = edges.length - 1
  const value = numberOf(valueExpression, maps)
  // Without `greatest` and `least`, which would count NULL as a value.
  const place =
    kind === 'linear'
      ? `floor((${value} - ${sql(lowest)}) / ${sql((highest - lowest) / rows || 1)})`
      : `if(${value} <= ${sql(lowest)}, 0, floor(log(${value} / ${sql(lowest)}) / ${sql(Math.log(highest / lowest) / rows || 1)}))`
  return {
    displayType: 'stacked_bar',
    ...(config.sourceId !== undefined && { sourceId: config.sourceId }),
    select: [{ ...conditionOf(config), aggFn: 'count' }],
    groupBy: withoutDots(`toString(${place})`, []),
    alignDateRangeToGranularity: false,
  }
}

/** A value as a number, of attributes too, which are text; NULL for what is none. */
const numberOf = (expression: string, maps: readonly string[]): string =>
  `toFloat64OrNull(toString(${groupingOf(expression, maps)}))`

interface CountedGroup {
  group: readonly string[]
  points: readonly (readonly [time: number, count: number | null])[]
}

/** Counts by row of the scale, then by time. Values that are NULL or no number are in no row. */
export function heatmapCells(lines: readonly CountedGroup[], rows: number): ReadonlyMap<number, number>[] {
  const cells = Array.from({ length: rows }, () => new Map<number, number>())
  for (const { group, points } of lines) {
    const place = group[0] ? Number(group[0]) : Number.NaN
    // The bounds themselves may be just outside, as they are rounded.
    const row = cells[Math.min(Math.max(place, 0), rows - 1)]
    for (const [time, value] of points) if (value !== null && value > 0) row?.set(time, (row.get(time) ?? 0) + value)
  }
  return cells
}

function conditionOf({ where, whereLanguage }: TileConfig): Pick<SelectItem, 'where' | 'whereLanguage'> {
  return {
    ...(typeof where === 'string' && { where }),
    ...(typeof whereLanguage === 'string' && { whereLanguage }),
  }
}

/** A number as a literal that is no integer, which would be divided as one. */
const sql = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value))
