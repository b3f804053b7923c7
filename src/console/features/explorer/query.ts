/** Makes the queries of the API from the explorer's state. */
import {
  type ChartQuery,
  type ChartSeries,
  granularities,
  granularitySeconds,
  maxBuckets,
  maxTopGroups,
} from '#contract/stack/charts.ts'
import { type Formula, type FormulaError, parseFormula, seriesLetters } from '#contract/stack/dashboards/formulas.ts'
import type { Source } from '#contract/stack/sources.ts'
import { ranksGroups } from '#console/charting/chartRequest.ts'
import { combinationOf } from '#console/charting/series/combineBuckets.ts'
import { textProblem } from '#console/charting/fields.ts'
import { automaticUnit, formulaUnit, type MetricUnits } from '#domain/series/seriesUnits.ts'
import {
  previousPeriodOffset,
  alignMetricBuckets,
  alignTotalBuckets,
  alignToBuckets,
  totalGranularity,
} from '#domain/series/bucketAlignment.ts'
import type { ChartType } from '#console/ui/chart/chartTypes.ts'
import { commonUnit } from '#domain/charts/axisUnits.ts'
import type { Unit } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'
import { offsetOf } from './comparison/comparing.ts'
import { type ExplorerState, letters, newSeries, type SeriesState } from './state.ts'

/** Aggregates over a column; `count` takes none. */
const needsField = (series: Pick<SeriesState, 'aggFn'>): boolean => series.aggFn !== 'count'

/** The query of a first visit: log records by severity, or else by service, or the count of whatever there is. */
export function withDefaults(state: ExplorerState, sources: readonly Source[]): ExplorerState {
  if (state.series.length > 0)
    return { ...state, series: state.series.map((seriesState) => withSource(seriesState, sources)) }
  const source = firstSource(sources)
  if (!source) return state
  const group = source.severityTextExpression ?? source.serviceNameExpression
  const groupBy = state.groupBy.length > 0 || !group ? state.groupBy : [group]
  return { ...state, series: [{ ...newSeries, sourceId: source.id }], groupBy }
}

const withSource = (series: SeriesState, sources: readonly Source[]): SeriesState => ({
  ...series,
  sourceId: (series.sourceId ? sourceOf(series.sourceId, sources) : firstSource(sources))?.id ?? series.sourceId,
})

/** The source that an address means: by its id, or by its name. */
function sourceOf(reference: string, sources: readonly Source[]): Source | undefined {
  return sources.find(({ id }) => id === reference) ?? sources.find(({ name }) => name === reference)
}

/** The state as in URLs: sources by name where names are unique, so that a link works on another deployment too. */
export function withSourceNames(state: ExplorerState, sources: readonly Source[]): ExplorerState {
  const series = state.series.map((item) => {
    const source = sources.find(({ id }) => id === item.sourceId)
    return source && sourceOf(source.name, sources) === source ? { ...item, sourceId: source.name } : item
  })
  return { ...state, series }
}

/** Sources whose series the API can compute. */
export const isChartable = (source: Source): boolean =>
  ['log', 'trace', 'metric'].includes(source.kind) && !source.disabled

function firstSource(sources: readonly Source[]): Source | undefined {
  const chartable = sources.filter(isChartable)
  return chartable.find(({ kind }) => kind === 'log') ?? chartable.find(({ kind }) => kind === 'trace') ?? chartable[0]
}

/** A chart query, and the buckets of its result. */
export interface ChartRequest {
  query: ChartQuery
  span: Span
  /** Length of a bucket, milliseconds. */
  bucketMs: number
  /** The zone in which buckets of hours and days start. */
  zone: Zone
  /** How much earlier the range lies that it is compared with, milliseconds: whole buckets. */
  earlier: number
}

/** How many groups a deployment is asked for that ranks them; undefined if it does not, or there are none. */
export function askedGroups(state: ExplorerState, sources: readonly Source[]): number | undefined {
  const isRanked = state.series.every(({ sourceId }) => ranksGroups(sources.find(({ id }) => id === sourceId)))
  if (!isRanked || state.groupBy.length === 0) return undefined
  // A number view has no choice of groups.
  return state.top > 0 && state.view !== 'number' ? state.top : maxTopGroups
}

/** The query for a span. A relative range starts with a whole bucket: half of one would look like a rise from nothing. */
export function requestOf(state: ExplorerState, span: Span, sources: readonly Source[]): ChartRequest {
  const request = wholeRequestOf(state, span, sources)
  const topGroups = askedGroups(state, sources)
  return topGroups === undefined ? request : { ...request, query: { ...request.query, topGroups } }
}

function wholeRequestOf(state: ExplorerState, span: Span, sources: readonly Source[]): ChartRequest {
  if (readsMetrics(state, sources)) return metricRequestOf(state, span, sources)
  if (state.view === 'number') return totalRequestOf(state, span, sources)
  const bucketed = alignToBuckets(span, state.g, state.tz)
  const { granularity, bucketMs, timezone } = bucketed
  const range = state.from.startsWith('now') ? bucketed.span : span
  return {
    query: {
      startTime: range.from,
      endTime: range.to,
      granularity,
      ...(timezone !== undefined && { timezone }),
      series: chartSeries(state, sources),
    },
    span: range,
    bucketMs,
    zone: state.tz,
    earlier: offsetOf(state.compare, bucketMs) ?? previousPeriodOffset(range, bucketMs),
  }
}

/** The query for a single value of the whole range: as few buckets as possible, none longer than the previous range. */
function totalRequestOf(state: ExplorerState, span: Span, sources: readonly Source[]): ChartRequest {
  const granularity = totalGranularity(span)
  return {
    query: { startTime: span.from, endTime: span.to, granularity, series: chartSeries(state, sources) },
    span,
    bucketMs: granularitySeconds(granularity, span.from, span.to) * 1000,
    zone: 'utc',
    earlier: offsetOf(state.compare, 1) ?? span.to - span.from,
  }
}

/** Metric ranges start and end between buckets; a total is computed from the buckets. */
function metricRequestOf(state: ExplorerState, range: Span, sources: readonly Source[]): ChartRequest {
  const series = chartSeries(state, sources)
  const isExact = series.every(({ aggFn, metricDataType: metricType }) => combinationOf({ aggFn, metricType }).exact)
  const aligned =
    state.view === 'number' ? alignTotalBuckets(range, isExact) : alignMetricBuckets(range, state.g, state.tz)
  const { span, granularity, bucketMs, timezone, end = span.to } = aligned
  return {
    query: { startTime: span.from, endTime: end, granularity, ...(timezone !== undefined && { timezone }), series },
    span,
    bucketMs,
    zone: state.tz,
    earlier: offsetOf(state.compare, bucketMs) ?? previousPeriodOffset(span, bucketMs),
  }
}

const readsMetrics = ({ series }: ExplorerState, sources: readonly Source[]): boolean =>
  series.some(({ sourceId }) => sources.find(({ id }) => id === sourceId)?.kind === 'metric')

function chartSeries(state: ExplorerState, sources: readonly Source[]): ChartSeries[] {
  const kinds = new Map(sources.map(({ id, kind }) => [id, kind]))
  return state.series.map((seriesState) =>
    chartSeriesOf(seriesState, state.groupBy, kinds.get(seriesState.sourceId) === 'metric'),
  )
}

function chartSeriesOf(series: SeriesState, groupBy: string[], metric: boolean): ChartSeries {
  const { sourceId, aggFn, field, level, where, whereLanguage, metricName, metricType } = series
  return {
    sourceId,
    aggFn,
    where,
    whereLanguage,
    groupBy,
    ...(!metric && needsField(series) && field.trim() && { field: field.trim() }),
    ...(aggFn === 'quantile' && { level }),
    ...(metric && { metricName, metricDataType: metricType }),
  }
}

/** The size of the result before grouping, and what to do if it is too large. */
interface Estimate {
  buckets: number
  /** The finest bucket length that is within the limit; null when the chosen one is. */
  coarser: ExplorerState['g'] | null
}

export function estimate(granularity: ExplorerState['g'], span: Span): Estimate {
  const bucketsOf = (granularity: ExplorerState['g']) =>
    Math.ceil((span.to - span.from) / 1000 / granularitySeconds(granularity, span.from, span.to))
  const buckets = bucketsOf(granularity)
  if (buckets <= maxBuckets) return { buckets, coarser: null }
  return { buckets, coarser: granularities.find((candidate) => bucketsOf(candidate) <= maxBuckets) ?? 'auto' }
}

/** The reasons why a draft cannot be sent, by the name of its field; empty if there are none. */
export function problemsOf(state: ExplorerState, sources: readonly Source[]): Record<string, string> {
  const problems: Record<string, string> = {}
  state.series.forEach((series, index) => {
    const at = (field: string) => `series.${index}.${field}`
    const source = sources.find(({ id }) => id === series.sourceId)
    if (!source) problems[at('sourceId')] = `Source ${series.sourceId} not found. Choose another`
    else if (source.kind === 'metric' && !series.metricName.trim()) problems[at('metricName')] = 'Choose a metric'
    else if (source.kind !== 'metric' && needsField(series) && !series.field.trim()) {
      problems[at('field')] = 'Choose a field'
    } else if (source.kind !== 'metric') {
      const problem = textProblem(series.aggFn, series.field)
      if (problem) problems[at('field')] = problem
    }
  })
  const formula = formulaProblem(state)
  if (formula) problems.formula = formula
  return problems
}

function formulaProblem({ formula, series }: ExplorerState): string | null {
  if (!formula.trim()) return null
  try {
    const used = seriesLetters(parseFormula(formula))
    const missing = used.find((letter) => !letters.slice(0, series.length).some((known) => known === letter))
    return missing ? `No series ${missing}` : null
  } catch (error) {
    // parseFormula throws nothing else.
    return (error as FormulaError).message
  }
}

/** The selected chart type, or the default: additive series are stacked, others are lines. */
export function chartOf(state: ExplorerState): ChartType {
  if (state.chart !== 'auto') return state.chart
  return addsUp(state) ? 'stackedBar' : 'line'
}

/** Whether all series are parts of a whole, so that they can be stacked and others be one line. */
export const addsUp = ({ formula, series }: Pick<ExplorerState, 'formula' | 'series'>): boolean =>
  !formula.trim() && series.every(({ aggFn }) => ['count', 'sum', 'increase'].includes(aggFn))

/** The unit of each series, and that of the page: the chosen one, or what they read. */
export interface ResultUnits {
  series: readonly Unit[]
  /** The unit of the formula, or that of all series if it is the same. */
  common: Unit
}

/** The chosen unit, or the derived ones: any aggregate of a duration is a duration. */
export function unitsOf(
  state: Pick<ExplorerState, 'series' | 'formula' | 'unit'>,
  sources: readonly Source[],
  metricUnits: MetricUnits,
): ResultUnits {
  const { series, formula, unit } = state
  if (unit !== 'auto') return { series: series.map(() => unit), common: unit }
  const own = series.map(({ sourceId, field, ...item }) => {
    const source = sources.find(({ id }) => id === sourceId)
    return automaticUnit({ ...item, valueExpression: field }, source, metricUnits)
  })
  const computed = formula.trim() ? readFormula(formula) : null
  const common = computed ? formulaUnit(computed, (index) => own[index] ?? 'number') : commonUnit(own)
  return { series: own, common }
}

/** The source whose metrics have units. */
export const metricSourceOf = ({ series }: ExplorerState, sources: readonly Source[]): Source | undefined =>
  sources.find(({ id, kind }) => kind === 'metric' && series.some(({ sourceId }) => sourceId === id))

/** null while it is not complete. */
function readFormula(text: string): Formula | null {
  try {
    return parseFormula(text)
  } catch {
    return null
  }
}
