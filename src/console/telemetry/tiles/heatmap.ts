/** The queries of a heatmap, which the API answers as counts by groups: first the bounds of its values, then how many are in each bucket. */
import { placeInScale, type HeatmapScale } from '#domain/heatmap.ts'
import { groupingOf, withoutDots } from '../portableSql.ts'
import type { SelectItem, TileConfig } from './tileConfig.ts'

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

/** The scale that the tile asks for. */
export const scaleKind = (config: TileConfig) => (itemOf(config).heatmapScaleType === 'linear' ? 'linear' : 'log')

/** The value that is distributed, as a number and without a dot. */
export const heatmapValue = (config: TileConfig, maps: readonly string[]): string =>
  withoutDots(numberOf(itemOf(config).valueExpression ?? '', maps), [])

/** Counts the rows of each bucket of time and of the scale, in the same range as the bounds. */
export function distributionConfig(config: TileConfig, scale: HeatmapScale, maps: readonly string[]): TileConfig {
  return {
    displayType: 'stacked_bar',
    ...(config.sourceId !== undefined && { sourceId: config.sourceId }),
    select: [{ ...conditionOf(config), aggFn: 'count' }],
    groupBy: `toString(${placeInScale(heatmapValue(config, maps), scale)})`,
    alignDateRangeToGranularity: false,
  }
}

/** A value as a number, of attributes too, which are text; NULL for what is none. */
const numberOf = (expression: string, maps: readonly string[]): string =>
  `toFloat64OrNull(toString(${groupingOf(expression, maps)}))`

function conditionOf({ where, whereLanguage }: TileConfig): Pick<SelectItem, 'where' | 'whereLanguage'> {
  return {
    ...(typeof where === 'string' && { where }),
    ...(typeof whereLanguage === 'string' && { whereLanguage }),
  }
}
