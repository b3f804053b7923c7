/** The second query of a heatmap, which the API answers as counts by groups: how many values are in each bucket. */
import { placeInScale, type HeatmapScale } from '#domain/series/heatmap.ts'
import { withoutDots } from '../portableSql.ts'
import { conditionOf, itemOf, numberOf } from './heatmap.ts'
import type { TileConfig } from './tileConfig.ts'

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
