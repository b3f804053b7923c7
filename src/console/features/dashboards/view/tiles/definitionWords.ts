/** A tile's definition in a few lines, for where there is no data to draw. */
import { seriesName } from '#console/api/tileData.ts'
import type { SelectItem, TileConfig } from '#console/api/tileQuery.ts'

/** One line a series, with its condition, then the grouping; empty where the configuration is not one that words can tell. */
export function definitionWords(config: TileConfig | undefined): string[] {
  if (!config || config.configType !== undefined) return []
  const { select, groupBy, where } = config
  const series = Array.isArray(select) ? select : []
  return [
    ...series.map(
      (item) => (item.aggFn ? seriesName(item) : valueName(item)) + (item.where ? ` where ${item.where}` : ''),
    ),
    ...(typeof select === 'string' && select !== '' ? [`columns ${select}`] : []),
    ...(typeof where === 'string' && where !== '' ? [`where ${where}`] : []),
    ...(groupBy ? [`by ${groupBy}`] : []),
  ]
}

/** A heatmap aggregates nothing: it shows how values are distributed. */
const valueName = ({ valueExpression = '' }: SelectItem): string => `distribution of ${valueExpression}`
