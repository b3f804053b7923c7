/** A tile's definition in a few lines, shown if there is no data to draw. */
import { seriesName } from '#console/charting/series/seriesNames.ts'
import type { SelectItem, TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { kindLabel } from './kinds.ts'

/**
 * The type and source of a tile, one line for each series with its condition, then the grouping; empty if the
 * configuration cannot be described. `sourceName`: the name of its source, if known.
 */
export function formatDefinition(config: TileConfig | undefined, sourceName?: string): string[] {
  if (!config || config.configType !== undefined || !config.displayType) return []
  const { displayType, select, groupBy, where, markdown } = config
  const kind = kindLabel(displayType)
  if (markdown !== undefined) return [markdown === '' ? `${kind}, empty` : `${kind}: ${markdown}`]
  const series = Array.isArray(select) ? select : []
  return [
    sourceName === undefined ? kind : `${kind} of ${sourceName}`,
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
