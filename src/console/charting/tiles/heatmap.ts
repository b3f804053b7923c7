/** The first query of a heatmap, which reads the bounds of its values. How many are in each bucket: `heatmapCounts.ts`. */
import { groupingOf } from '../portableSql.ts'
import type { SelectItem, TileConfig } from './tileConfig.ts'

type HeatmapItem = SelectItem & { countExpression?: unknown; heatmapScaleType?: unknown }

export const itemOf = ({ select }: TileConfig): HeatmapItem => (Array.isArray(select) ? select[0] : undefined) ?? {}

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

/** A value as a number, of attributes too, which are text; NULL for what is none. */
export const numberOf = (expression: string, maps: readonly string[]): string =>
  `toFloat64OrNull(toString(${groupingOf(expression, maps)}))`

export function conditionOf({ where, whereLanguage }: TileConfig): Pick<SelectItem, 'where' | 'whereLanguage'> {
  return {
    ...(typeof where === 'string' && { where }),
    ...(typeof whereLanguage === 'string' && { whereLanguage }),
  }
}
