/** Plans the chart queries of a tile, or says why it cannot be queried. */
import {
  aggFns,
  maxGroupBy,
  maxSeries,
  maxTopGroups,
  type AggFn,
  type ChartQuery,
  type ChartSeries,
} from '#contract/stack/charts.ts'
import { metricTypes } from '#contract/stack/sources.ts'
import type { Zone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'
import { type Combination, combinationOf } from '../series/combineBuckets.ts'
import { textProblem } from '../fields.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import {
  alignedRange,
  type AlignedRange,
  previousPeriodOffset,
  queryTimes,
  readsWholeBuckets,
} from '#domain/series/bucketAlignment.ts'
import type { Alignment } from '#contract/stack/chartAlignment.ts'
import { boundsConfig, heatmapProblem } from './heatmap.ts'
import {
  combinedCondition,
  visitorSentences,
  type ConditionAsSql,
  type ScopeCondition,
} from '../conditions/combinedCondition.ts'
import type { SelectItem, TileConfig } from './tileConfig.ts'
import { fillVariables, type FilterVariable } from '#domain/query/filterVariables.ts'
import { VariableError } from '#domain/query/fillSql.ts'

export interface TileScope {
  /** Epoch milliseconds. */
  span: Span
  granularity: ChartQuery['granularity']
  /** The zone in which buckets of hours and days start. */
  zone: Zone
  conditions: readonly ScopeCondition[]
  /** Filters without a value that need one before the tiles are queried. */
  required?: readonly RequiredValue[]
  /** The dashboard’s filters that tiles can use as variables. */
  variables?: readonly FilterVariable[]
  /** The ID of the tile's source on the query connection; null if it has none. */
  sourceId: (id: string) => string | null
  /** The columns of a source, by its ID on the query connection, whose keys are attributes. Default: none. */
  mapsOf?: (sourceId: string) => readonly string[]
  /** Translates a condition with the columns of a source. Default: no part of it. */
  toSql?: (condition: string, sourceId: string) => ConditionAsSql
  /** Whether notes and reasons are for the visitors of a public link, who must not see conditions. */
  forVisitors?: boolean
}

/** A value that has to be chosen first. */
export interface RequiredValue {
  /** A sentence for people. */
  reason: string
  /** Only tiles of these sources; absent is all. */
  sourceIds?: readonly string[]
}

/** One request. `first` is the place of its first series in the tile's `select`. */
interface TileRequest {
  query: ChartQuery
  first: number
  /** Offset of the comparison period before the tile's range, milliseconds. */
  earlier: number
}

/** The rows that a tile lists. */
export interface TileRows {
  kind: 'search' | 'event_patterns'
  /** Columns, parted by commas; empty for those of the source. */
  select: string
}

export type TilePlan =
  | {
      kind: 'query'
      requests: TileRequest[]
      /** How the range of the requests follows from that of the view. */
      alignment: Alignment
      /** The range that is queried and drawn. Charts over time start at a bucket boundary. */
      span: Span
      /** Length of a bucket, milliseconds. */
      bucketMs: number
      zone: Zone
      aggFns: string[]
      /** How the buckets of each series become the value of the range. */
      combinations: Combination[]
      /** The parts that the result does not respect, in sentences. */
      notes: string[]
      /** Labels of the dashboard's conditions that are applied. */
      conditions: string[]
      /** The rows of a tile that lists them: they replace the number of rows where the deployment has a search. */
      rows?: TileRows
    }
  | { kind: 'markdown'; text: string }
  | { kind: 'none'; reason: string }

export type QueryPlan = Extract<TilePlan, { kind: 'query' }>

/**
 * Plans the requests of a tile, of a heatmap those of its bounds. Pure: the same tile and scope give the same queries, and so
 * the same cache entries.
 */
export function planTile(written: TileConfig | undefined, scope: TileScope): TilePlan {
  const none = (reason: string, forVisitors: string) =>
    ({ kind: 'none', reason: scope.forVisitors ? forVisitors : reason }) as const
  const reason = unanswerable(written)
  if (reason !== null || written === undefined)
    return none(reason ?? 'This tile has no configuration.', visitorSentences.refused)
  if (written.displayType === 'markdown') return { kind: 'markdown', text: written.markdown ?? '' }
  const missing = scope.required?.find((filter) => appliesToTile(filter, written))
  if (missing) return none(missing.reason, visitorSentences.waits)
  const filled = withVariables(written, scope.variables ?? [])
  if (typeof filled === 'string') return none(filled, visitorSentences.refused)
  const sourceId = scope.sourceId(filled.sourceId ?? '')
  if (sourceId === null) return { kind: 'none', reason: 'Source not found. It may have been deleted.' }
  const config = filled.displayType === 'heatmap' ? boundsConfig(filled, scope.mapsOf?.(sourceId) ?? []) : filled
  const items = itemsOf(config)
  const groupBy = splitExpressions(typeof config.groupBy === 'string' ? config.groupBy : '')
  if (groupBy.length > maxGroupBy) {
    return { kind: 'none', reason: `Grouped by ${groupBy.length} expressions; the API supports at most ${maxGroupBy}.` }
  }
  const conditions = scope.conditions.filter((condition) => appliesToTile(condition, config))
  const series: ChartSeries[] = []
  const leftOut: string[] = []
  const toSql = (condition: string) => scope.toSql?.(condition, sourceId) ?? { sql: '', leftOut: [condition] }
  for (const item of items) {
    const planned = seriesOf(item, { sourceId, toSql, groupBy, conditions })
    if (typeof planned === 'string') return none(planned, visitorSentences.refused)
    series.push(planned.series)
    leftOut.push(...planned.leftOut)
  }
  const alignment = alignmentOf(config, scope)
  const grid = alignedRange(alignment, scope.span)
  const rowKind = rowKindOf(config)
  return {
    kind: 'query',
    requests: requestsOf(series, config, grid),
    alignment,
    span: grid.span,
    bucketMs: grid.bucketMs,
    zone: scope.zone,
    aggFns: series.map(({ aggFn }) => aggFn),
    combinations: series.map(({ aggFn, metricDataType }) => combinationOf({ aggFn, metricType: metricDataType })),
    notes: [...conditionNotes([...leftOut, ...elsewhereNotes(config, scope)], scope), ...notesOf(config, scope, grid)],
    conditions: conditions.map(({ label }) => label),
    ...(rowKind && { rows: { kind: rowKind, select: typeof config.select === 'string' ? config.select : '' } }),
  }
}

/** Whether a filter or condition applies to the source of a tile. Without `sourceIds` it applies to all. */
export const appliesToTile = (
  { sourceIds = [] }: { sourceIds?: readonly string[] },
  { sourceId = '' }: TileConfig,
): boolean => sourceIds.length === 0 || sourceIds.includes(sourceId)

/** Types whose value covers the whole range. */
const totals: readonly unknown[] = ['number', 'table', 'pie', 'bar']
/** Types that list rows. Their query counts them. */
const rowKinds = ['search', 'event_patterns'] as const
const rowKindOf = ({ displayType }: Pick<TileConfig, 'displayType'>) => rowKinds.find((kind) => kind === displayType)

export const isTotal = (config: TileConfig): boolean => totals.includes(config.displayType)
/** Whether a tile shows rows, or patterns of rows, instead of values. */
export const listsRows = (config: Pick<TileConfig, 'displayType'>): boolean => rowKindOf(config) !== undefined

function unanswerable(config: TileConfig | undefined): string | null {
  if (!config) return 'This API does not return the configuration of this tile.'
  if (config.configType === 'sql') return 'A Raw SQL tile has no query of its own: its statement is run as it is saved.'
  if (config.configType !== undefined) return `The API has no ${config.configType} queries.`
  if (config.displayType === 'heatmap') return heatmapProblem(config)
  const known = [...totals, ...rowKinds, 'line', 'stacked_bar', 'markdown']
  return known.includes(config.displayType)
    ? null
    : config.displayType
      ? `Unknown tile type: ${config.displayType}.`
      : 'This tile has no type.'
}

/** The configuration with its variables replaced, or an error message. */
function withVariables(config: TileConfig, variables: readonly FilterVariable[]): TileConfig | string {
  if (variables.length === 0) return config
  const sql = (text: string) => fillVariables(text, variables, 'sql')
  const condition = <T extends Record<string, unknown>>(item: T): T => {
    if (typeof item.where !== 'string') return item
    return { ...item, where: fillVariables(item.where, variables, item.whereLanguage === 'sql' ? 'sql' : 'lucene') }
  }
  const item = (selectItem: SelectItem): SelectItem =>
    condition({
      ...selectItem,
      ...(selectItem.valueExpression && { valueExpression: sql(selectItem.valueExpression) }),
    })
  try {
    return condition({
      ...config,
      ...(typeof config.groupBy === 'string' && { groupBy: sql(config.groupBy) }),
      ...(Array.isArray(config.select) && { select: config.select.map(item) }),
    })
  } catch (error) {
    if (error instanceof VariableError) return error.message
    throw error
  }
}

function itemsOf(config: TileConfig): SelectItem[] {
  if (!listsRows(config)) return Array.isArray(config.select) ? config.select : []
  const { where, whereLanguage } = config
  return [
    {
      aggFn: 'count',
      ...(typeof where === 'string' && { where }),
      ...(typeof whereLanguage === 'string' && { whereLanguage }),
    },
  ]
}

interface SeriesScope {
  sourceId: string
  toSql: (condition: string) => ConditionAsSql
  groupBy: string[]
  conditions: readonly ScopeCondition[]
}

/** The series with what it does not respect, in sentences; or the reason why the API cannot answer it. */
function seriesOf(
  item: SelectItem,
  { sourceId, toSql, groupBy, conditions }: SeriesScope,
): { series: ChartSeries; leftOut: string[] } | string {
  const aggFn = item.aggFn ?? 'count'
  if (!isAggFn(aggFn)) return `The API cannot compute ${aggFn}.`
  if (item.metricType && !item.metricName?.trim()) return 'Choose a metric.'
  if (aggFn !== 'count' && !isMetric(item) && !item.valueExpression?.trim()) return 'Choose a field.'
  const problem = isMetric(item) ? null : textProblem(aggFn, item.valueExpression ?? '')
  if (problem) return `${problem}.`
  const own = { text: item.where ?? '', language: item.whereLanguage ?? 'lucene' }
  const condition = combinedCondition(own, conditions, toSql)
  if (typeof condition === 'string') return condition
  const metricType = metricTypes.find((type) => type === item.metricType)
  const series: ChartSeries = {
    sourceId,
    aggFn,
    groupBy,
    where: condition.text,
    whereLanguage: condition.language,
    ...(aggFn !== 'count' && item.valueExpression && { field: item.valueExpression }),
    ...(aggFn === 'quantile' && { level: item.level ?? 0.5 }),
    ...(item.metricName && { metricName: item.metricName }),
    ...(metricType && { metricDataType: metricType }),
  }
  return { series, leftOut: condition.leftOut }
}

const isAggFn = (name: string): name is AggFn => (aggFns as readonly string[]).includes(name)

/**
 * How the range of the query follows from that of the view. A total covers exactly the range, in as few buckets as possible;
 * a total of metrics is combined from many.
 */
function alignmentOf(config: TileConfig, { granularity = 'auto', zone }: TileScope): Alignment {
  const overTime = !isTotal(config)
  const shared = { granularity, zone }
  if (readsMetrics(config)) {
    return overTime || hasSparkline(config)
      ? { kind: 'metricBuckets', ...shared }
      : { kind: 'metricTotal', exact: itemsOf(config).every(isExact), ...shared }
  }
  if (overTime && config.alignDateRangeToGranularity !== false) return { kind: 'buckets', ...shared }
  return { kind: overTime || hasSparkline(config) ? 'none' : 'total', ...shared }
}

/** Whether a number has a sparkline: only if its total can be computed from the buckets. */
export function hasSparkline(config: TileConfig): boolean {
  if (config.displayType !== 'number' || !Array.isArray(config.select)) return false
  // Buckets of metrics may begin before the range: only where the line is asked for.
  return readsMetrics(config) ? Boolean(config.backgroundChart) : config.select.every(isExact)
}

const isExact = ({ aggFn = 'count', metricType }: SelectItem): boolean => combinationOf({ aggFn, metricType }).exact
const readsMetrics = (config: TileConfig): boolean => itemsOf(config).some(isMetric)

const isMetric = ({ metricName, metricType }: SelectItem): boolean => Boolean(metricName || metricType)

function requestsOf(series: ChartSeries[], config: TileConfig, grid: AlignedRange): TileRequest[] {
  const { span, granularity, timezone, bucketMs } = grid
  const compared = config.compareToPreviousPeriod === true && config.displayType === 'line'
  const periods = compared ? [0, previousPeriodOffset(span, bucketMs)] : [0]
  const topGroups = topGroupsOf(series, config)
  // A comparison is about the same groups.
  const ranked = (earlier: number) =>
    topGroups === null ? {} : { topGroups, ...(earlier > 0 && { topGroupsRange: queryTimes(grid, 0) }) }
  return periods.flatMap((earlier) =>
    chunks(series, maxSeries).map((part, index) => ({
      first: index * maxSeries,
      earlier,
      query: {
        ...queryTimes(grid, earlier),
        granularity,
        ...(timezone !== undefined && { timezone }),
        ...ranked(earlier),
        series: part,
      },
    })),
  )
}

/**
 * How many groups a deployment is asked for that ranks them by the first series; null for all of them, where the tile shows
 * those that are the largest or smallest by something else.
 */
function topGroupsOf(series: readonly ChartSeries[], config: TileConfig): number | null {
  // Each request would have groups of its own.
  if (series.length > maxSeries || !series[0]?.groupBy?.length) return null
  if (!isTotal(config)) return wantedGroups(config.seriesLimit)
  const isComputed = config.asRatio === true || (Array.isArray(config.formulas) && config.formulas.length > 0)
  const isOrdered = typeof config.orderBy === 'string' && config.orderBy.trim() !== ''
  return isComputed || isOrdered ? null : wantedGroups(config.limit)
}

const wantedGroups = (limit: unknown): number =>
  typeof limit === 'number' && limit > 0 ? Math.min(limit, maxTopGroups) : maxTopGroups

/** The plan of a total for the range before. */
export function previousPlan(plan: QueryPlan): QueryPlan {
  const offset = previousPeriodOffset(
    plan.span,
    readsWholeBuckets(plan.requests.map(({ query }) => query)) ? plan.bucketMs : 1,
  )
  const { from, to } = plan.span
  return {
    ...plan,
    span: { from: from - offset, to: to - offset },
    requests: plan.requests.map(({ query, ...one }) => ({
      ...one,
      query: { ...query, startTime: query.startTime - offset, endTime: query.endTime - offset },
    })),
  }
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

/** The notes on conditions that a result does not respect, as its readers may see them. */
export function conditionNotes(notes: readonly string[], { forVisitors }: Pick<TileScope, 'forVisitors'>): string[] {
  return forVisitors && notes.length > 0 ? [visitorSentences.leftOut] : [...new Set(notes)]
}

/** Notes on the conditions that are for other sources alone. */
export const elsewhereNotes = (config: TileConfig, { conditions }: Pick<TileScope, 'conditions'>): string[] =>
  conditions
    .filter((condition) => !appliesToTile(condition, config))
    .map(({ label }) => `Not filtered by ${label}: it applies to other sources.`)

function notesOf(config: TileConfig, { span, forVisitors }: TileScope, grid: AlignedRange): string[] {
  const notes: string[] = []
  if (typeof config.having === 'string' && config.having.trim())
    notes.push(`HAVING${forVisitors ? '' : ` ${config.having}`} is not applied: the API does not support it.`)
  if (isTotal(config) && grid.span.from < span.from) {
    notes.push(`Metrics are read in whole buckets of ${grid.granularity}: the first one starts before the range.`)
  }
  return notes
}
