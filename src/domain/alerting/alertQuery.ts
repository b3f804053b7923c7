/**
 * The query of an alert: values of the rows of one source, by condition, group and window. Tiles and saved
 * searches become queries, and everything after that is the same for both.
 */
import type { AggFn } from '#contract/stack/charts.ts'
import type { StrictTileConfig } from '#contract/stack/dashboards/tileConfigs.ts'
import { parseFormula, type Formula } from '#contract/stack/dashboards/formulas.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import type { MetricType } from '#contract/stack/sources.ts'
import { invalidAlert } from './executionError.ts'

interface Condition {
  text: string
  language: 'lucene' | 'sql'
}

export interface AlertQuerySeries {
  aggFn: AggFn
  /** The aggregated column or expression. */
  field?: string
  level?: number
  metricName?: string
  metricDataType?: MetricType
  /** All of them apply. */
  conditions: readonly Condition[]
}

/** Values of the rows of a source. */
export interface AlertSeriesQuery {
  kind: 'series'
  sourceId: string
  groupBy: readonly string[]
  series: readonly AlertQuerySeries[]
  /** The value that is compared, from the series. */
  value: Formula
}

/** The rows of a Raw SQL tile. */
export interface AlertSqlQuery {
  kind: 'sql'
  /** With macros and parameters: see `sqlTemplate.ts`. */
  template: string
  /** For the macro `$__sourceTable`. */
  sourceId: string | null
  /** One row for each window and group, with a time. Otherwise the first row is the value of the range. */
  overTime: boolean
}

export type AlertQuery = AlertSeriesQuery | AlertSqlQuery

/** Equal for queries with the same answer. */
export function alertQueryKey(alertQuery: AlertQuery): string {
  return JSON.stringify(alertQuery)
}

const seriesValue = (index: number): Formula => ({ kind: 'series', index })

/**
 * The query of a tile. Its last series is compared, or its ratio, or its last formula: docs/DEPLOYMENTS.md#alert-evaluation.
 * @throws ExecutionError for a tile that alerts cannot use
 */
export function tileAlertQuery(config: StrictTileConfig): AlertQuery {
  const { displayType } = config
  if (displayType !== 'line' && displayType !== 'stacked_bar' && displayType !== 'number') {
    throw invalidAlert(`Alerts cannot watch a tile of the type ${displayType}. Use a line, stacked bar or number tile.`)
  }
  if (config.configType === 'sql') {
    const { sqlTemplate, sourceId = null } = config
    return { kind: 'sql', template: sqlTemplate, sourceId, overTime: displayType !== 'number' }
  }
  const series = config.select.map((item): AlertQuerySeries => ({
    aggFn: item.aggFn,
    ...(item.valueExpression && { field: item.valueExpression }),
    ...(item.aggFn === 'quantile' && { level: item.level ?? 0.5 }),
    ...(item.metricName && { metricName: item.metricName }),
    ...(item.metricType && { metricDataType: item.metricType }),
    conditions: conditionsOf({ text: item.where, language: item.whereLanguage }),
  }))
  return {
    kind: 'series',
    sourceId: config.sourceId,
    groupBy: 'groupBy' in config ? splitExpressions(config.groupBy ?? '') : [],
    series,
    value: comparedValue(config, series.length),
  }
}

function comparedValue(
  config: { formulas?: readonly { expression: string }[] | undefined; asRatio?: boolean },
  series: number,
): Formula {
  const formula = config.formulas?.at(-1)
  if (formula) return parseFormula(formula.expression)
  if (config.asRatio) return { kind: 'operation', operator: '/', left: seriesValue(0), right: seriesValue(1) }
  return seriesValue(series - 1)
}

/** The definition of a saved search: an alert counts the rows that match it. */
interface SavedSearchDefinition {
  sourceId: string
  where: string
  whereLanguage: 'lucene' | 'sql'
  filters: readonly ({ type: 'lucene' | 'sql'; condition: string } | { type: 'sql_ast' })[]
}

/** The query of a saved search: its rows are counted. Pinned filters apply too. @throws ExecutionError */
export function savedSearchAlertQuery(search: SavedSearchDefinition, groupBy: string | undefined): AlertQuery {
  return {
    kind: 'series',
    sourceId: search.sourceId,
    groupBy: splitExpressions(groupBy ?? ''),
    series: [{ aggFn: 'count', conditions: savedSearchConditions(search) }],
    value: seriesValue(0),
  }
}

/** The condition of a saved search's rows: its condition and its pinned filters. @throws ExecutionError */
function savedSearchConditions(search: SavedSearchDefinition): Condition[] {
  const pinned = search.filters.flatMap((filter) => {
    if (filter.type === 'sql_ast') throw invalidAlert('The saved search has a filter of the type sql_ast. Remove it.')
    return conditionsOf({ text: filter.condition, language: filter.type })
  })
  return [...conditionsOf({ text: search.where, language: search.whereLanguage }), ...pinned]
}

function conditionsOf(condition: Condition): Condition[] {
  return condition.text.trim() === '' ? [] : [condition]
}
