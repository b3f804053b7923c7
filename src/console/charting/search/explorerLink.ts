/** The explorer with the question of a tile: its address has the keys of `features/explorer/state.ts`. */
import { maxSeries } from '#contract/stack/charts.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import type { TileConfig } from '../tiles/tileConfig.ts'
import { isTotal, type QueryPlan } from '../tiles/tileQuery.ts'

type ExplorerSearch = Record<string, string | undefined>

/** The parameters of the explorer's address, or why it cannot show the tile. */
type ExplorerLink = { search: ExplorerSearch; problem?: undefined } | { search?: undefined; problem: string }

/** How the explorer draws what a tile draws. */
const views: Partial<Record<string, ExplorerSearch>> = {
  line: { chart: 'line' },
  stacked_bar: { chart: 'stackedBar' },
  number: { view: 'number' },
}

/**
 * The query of a tile in the explorer, with the conditions that the dashboard adds to it.
 * @param more keys of the address that the dashboard knows: its range, and what is drawn without rows
 */
export function explorerLink(config: TileConfig, plan: QueryPlan, more: ExplorerSearch): ExplorerLink {
  const series = plan.requests.filter(({ earlier }) => earlier === 0).flatMap(({ query }) => query.series)
  if (series.length > maxSeries) return { problem: `The explorer draws at most ${maxSeries} series.` }
  if (Array.isArray(config.formulas) && config.formulas.length > 1) {
    return { problem: `The explorer draws one formula, and this tile has ${config.formulas.length}.` }
  }
  const aliases = Array.isArray(config.select) ? config.select.map(({ alias }) => alias) : []
  const keys = series.flatMap((item, index) => {
    const letter = String.fromCodePoint(97 + index)
    return Object.entries({
      '': item.aggFn,
      '.in': item.sourceId,
      '.field': item.field,
      '.level': item.level?.toString(),
      '.where': item.where,
      '.lang': item.whereLanguage,
      '.metric': item.metricName,
      '.type': item.metricDataType,
      '.as': aliases[index],
    }).map(([key, value]) => [`${letter}${key}`, value] as const)
  })
  const compares = plan.requests.some(({ earlier }) => earlier !== 0)
  const groupBy = series[0]?.groupBy?.flatMap(splitExpressions) ?? []
  return {
    search: {
      ...Object.fromEntries(keys),
      by: groupBy.join(','),
      formula: formulaOf(config),
      compare: compares ? 'previous' : undefined,
      top: typeof config.seriesLimit === 'number' ? String(config.seriesLimit) : undefined,
      ...(views[config.displayType ?? ''] ?? (isTotal(config) ? { view: 'table' } : {})),
      ...more,
    },
  }
}

/** The explorer has one formula. */
function formulaOf({ asRatio, formulas }: TileConfig): string | undefined {
  if (asRatio) return 'A / B'
  return Array.isArray(formulas) ? formulas[0]?.expression : undefined
}
