/** The explorer's question as a tile of a dashboard: docs/DEPLOYMENTS.md#tiles, #dashboards. */
import type { Source } from '#contract/stack/sources.ts'
import { quantileLevels } from '#contract/stack/dashboards/tileParts.ts'
import { writtenCondition } from '#console/charting/freeText.ts'
import type { SelectItem, TileConfig } from '#console/charting/tiles/tileConfig.ts'
import type { NumberFormat } from '#domain/charts/numberFormat.ts'
import { namesOf } from './lines.ts'
import { chartOf } from './query.ts'
import type { ExplorerState, SeriesState } from './state.ts'

export const savedKinds = ['line', 'stacked_bar', 'number'] as const
export type SavedKind = (typeof savedKinds)[number]

interface TileChoice {
  kind: SavedKind
  /** Position of the only series to use; null for all. A formula always uses the series that it needs. */
  only: number | null
}

type SavedTile = { config: TileConfig; name: string; notes: string[] } | { refused: string }

/** The tile type that shows the same as the page. */
export function kindOf(state: ExplorerState): SavedKind {
  if (state.view === 'number') return 'number'
  return chartOf(state) === 'stackedBar' ? 'stacked_bar' : 'line'
}

/** The tile, with what of the page it leaves behind; or why there can be none. */
export function tileOf(state: ExplorerState, sources: readonly Source[], { kind, only }: TileChoice): SavedTile {
  const formula = state.formula.trim()
  const series = only === null || formula ? state.series : state.series.slice(only, only + 1)
  const [first] = series
  if (!first) return { refused: 'No series to save.' }
  if (series.some(({ sourceId }) => sourceId !== first.sourceId)) {
    return { refused: 'A tile can use only one source. Save one series at a time.' }
  }
  const level = series.find(
    (seriesState) => seriesState.aggFn === 'quantile' && !quantileLevels.includes(seriesState.level),
  )?.level
  if (level !== undefined) {
    return { refused: `Tiles support only the quantiles p50, p90, p95 and p99, not p${Math.round(level * 1000) / 10}.` }
  }
  if (kind === 'number' && series.length > 1 && !formula) {
    return { refused: 'A number tile shows one series. Choose one, or another visualization.' }
  }
  const isMetric = sources.find(({ id }) => id === first.sourceId)?.kind === 'metric'
  const numberFormat = formatOf(state.unit)
  return {
    name: nameOf(state, series, kind),
    notes: notesOf(state, kind),
    config: {
      displayType: kind,
      sourceId: first.sourceId,
      select: series.map((seriesState) => selectOf(seriesState, isMetric)),
      ...(kind !== 'number' && {
        ...(state.groupBy.length > 0 && { groupBy: state.groupBy.join(', ') }),
        fillNulls: state.empty === 'zero',
      }),
      ...(kind !== 'number' && state.top > 0 && { seriesLimit: state.top }),
      ...(kind === 'line' && state.compare === 'previous' && { compareToPreviousPeriod: true }),
      ...(formula && { formulas: [{ expression: formula }] }),
      ...(numberFormat && { numberFormat }),
    },
  }
}

function selectOf(series: SeriesState, isMetric: boolean): SelectItem {
  const { aggFn, field, level, where, whereLanguage, metricName, metricType, alias } = series
  const valueExpression = isMetric ? 'Value' : field.trim()
  return {
    aggFn,
    where: writtenCondition(where, whereLanguage),
    whereLanguage,
    ...(aggFn !== 'count' && { valueExpression }),
    ...(aggFn === 'quantile' && { level }),
    ...(alias.trim() && { alias: alias.trim() }),
    ...(isMetric && { metricName, metricType }),
  }
}

function nameOf({ formula, groupBy }: ExplorerState, series: readonly SeriesState[], kind: SavedKind): string {
  const what = formula.trim() || namesOf(series).join(', ')
  return kind !== 'number' && groupBy.length > 0 ? `${what} by ${groupBy.join(', ')}` : what
}

function notesOf(state: ExplorerState, kind: SavedKind): string[] {
  const notes: string[] = []
  const chart = chartOf(state)
  if (kind === 'line' && (chart === 'area' || chart === 'stackedArea'))
    notes.push('Tiles have no area charts: saved as lines.')
  if (kind !== 'stacked_bar' && chart === 'bar') notes.push('Tiles have no grouped bars over time.')
  if (kind === 'number' && state.groupBy.length > 0) notes.push('A number tile has no groups: it covers all of them.')
  if (kind !== 'line' && state.compare === 'previous')
    notes.push('Only line tiles can compare with the previous period.')
  if (!['off', 'previous'].includes(state.compare))
    notes.push('The comparison is not saved: tiles compare only with the previous period.')
  if (state.scale === 'log') notes.push('The log scale is not saved: tiles have none.')
  if (state.over !== '') notes.push('The overlay is not saved: a tile uses one connection.')
  if (state.g !== 'auto') notes.push('The bucket length is not saved: a dashboard has one for all tiles.')
  return notes
}

/** The number format of a tile (docs/DEPLOYMENTS.md#tiles) for a chosen unit; null if a tile finds it by itself, too. */
function formatOf(unit: ExplorerState['unit']): NumberFormat | null {
  switch (unit) {
    case 'auto':
      return null
    case 'number':
      return { output: 'number' }
    case 'bytes':
      return { output: 'byte', numericUnit: 'bytes_iec' }
    case 'bits':
      return { output: 'byte', numericUnit: 'bits_si' }
    case 'percent':
      // A percent of tiles is a share of one; these are out of a hundred already.
      return { output: 'number', unit: '%' }
    default:
      return { output: 'duration', factor: { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1 }[unit] }
  }
}
