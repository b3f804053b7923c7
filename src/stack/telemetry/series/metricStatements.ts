/**
 * Series over metrics (section 10.6 of the open-source reference). The points of one metric are first combined by time
 * series (one set of attributes) and bucket, then aggregated over the time series.
 */
import { distributionAggFns, type AggFn, type ChartSeries } from '#contract/charts.ts'
import type { Engine } from '../engine/engine.ts'
import { aggregateSql, noCounter, numericSql, type Aggregate } from './aggregateFunctions.ts'
import { ChartError } from './chartError.ts'
import { quantileSql } from './histogramStatements.ts'
import { bucketsSql, timeSeries, type MetricScope } from './metricScope.ts'
import {
  groupColumns,
  groupNames,
  maxPoints,
  names,
  StatementBuilder,
  type ParsedChartQuery,
  type Plan,
  type Statement,
} from './seriesPlan.ts'

export async function metricStatement(engine: Engine, query: ParsedChartQuery, plan: Plan): Promise<Statement> {
  const builder = new StatementBuilder(engine, query, plan)
  const { sql: timestamp } = await builder.timestamp()
  const groups = await builder.groups()
  const where = await builder.where(plan)
  const name = builder.bindings.bind(metricName(plan), 'String')
  const conditions = (from = query.startTime) =>
    [`MetricName = ${name}`, builder.inRange(timestamp, from), ...(where ? [where] : [])].join(' AND ')
  const scope: MetricScope = { builder, plan, timestamp, groups, conditions }
  const sql = await statementOf(scope, query)
  return {
    sql: `${sql} ORDER BY ${names.bucket} LIMIT ${maxPoints + 1}`,
    bindings: builder.bindings,
    plans: [plan],
    sparse: new Set(),
  }
}

/** Without `metricName`, the field is the name, as on deployments. */
function metricName({ series, path }: Plan): string {
  const name = series.metricName?.trim() || series.field?.trim()
  if (name) return name
  throw new ChartError(
    400,
    `${path}.metricName`,
    'a metrics source needs the name of a metric, such as system.cpu.time',
  )
}

async function statementOf(scope: MetricScope, query: ParsedChartQuery): Promise<string> {
  const { series, path, columns } = scope.plan
  const { aggFn } = series
  if (aggFn === 'none')
    throw new ChartError(400, `${path}.aggFn`, 'a metric needs an aggregate function: none is not one')
  if (columns.has('BucketCounts') || columns.has('PositiveBucketCounts')) {
    requireOneOf(series, distributionAggFns, `${path}.aggFn`, 'a histogram')
    return aggFn === 'quantile' ? quantileSql(scope, lookBack(scope, query)) : totalsSql(scope, lookBack(scope, query))
  }
  if (columns.has('ValueAtQuantiles.Value')) {
    requireOneOf(series, distributionAggFns, `${path}.aggFn`, 'a summary')
    return aggFn === 'quantile' ? summaryQuantileSql(scope) : totalsSql(scope, lookBack(scope, query))
  }
  if (columns.has('IsMonotonic')) return sumSql(scope, aggFn, lookBack(scope, query))
  if (aggFn === 'increase') throw noCounter(path)
  return gaugeSql(scope, aggFn)
}

function requireOneOf({ aggFn }: ChartSeries, possible: readonly AggFn[], path: string, resource: string): void {
  if (!possible.includes(aggFn)) {
    throw new ChartError(400, path, `${aggFn} is not defined for ${resource}: choose ${possible.join(', ')}`)
  }
}

const shortestLookBackMs = 300_000

/**
 * Cumulative points are compared to the previous one, which may be before the range by a bucket or an export
 * interval.
 */
function lookBack({ builder }: MetricScope, query: ParsedChartQuery): number {
  return Math.max(0, query.startTime - Math.max(builder.step * 1000, shortestLookBackMs))
}

/** The values to aggregate over time series: `__value` of a bucket, the latest by `__last`. */
function overSeries({ builder, plan, groups }: MetricScope, aggFn: Aggregate, inner: string): string {
  const aggregate = aggregateSql(
    {
      aggFn,
      value: { sql: '__value', type: { kind: 'number' } },
      timestamp: '__last',
      level: plan.series.level,
      condition: undefined,
    },
    builder.bindings,
    plan.path,
  )
  return `SELECT toUnixTimestamp(__time) AS ${names.bucket}${groupNames(groups)}, ${aggregate} AS ${names.value(plan.index)}
    FROM (${inner}) GROUP BY __time${groupNames(groups)}`
}

/** The value of a point: its column, or an expression over it if there is a field beside the metric's name. */
async function pointValue({ builder, plan }: MetricScope): Promise<string> {
  const { metricName, field } = plan.series
  if (!metricName?.trim() || !field?.trim()) return 'Value'
  const value = await builder.value(field, `${plan.path}.field`)
  return numericSql(value, plan.path)
}

/** The value of a gauge is its last one. */
async function gaugeSql(scope: MetricScope, aggFn: Aggregate): Promise<string> {
  return overSeries(scope, aggFn, latestSql(scope, await pointValue(scope), scope.conditions()))
}

function latestSql({ builder, timestamp, groups }: MetricScope, value: string, conditions: string): string {
  return `SELECT ${builder.bucket(timestamp)} AS __time${groupColumns(groups)}, ${timeSeries},
      argMax(${value}, ${timestamp}) AS __value, max(${timestamp}) AS __last
    FROM ${builder.table} WHERE ${conditions}
    GROUP BY __time${groupNames(groups)}, __series`
}

/** Quantiles of summaries cannot be combined: over several time series, the highest is used. */
function summaryQuantileSql(scope: MetricScope): string {
  const { builder, plan } = scope
  const level = builder.bindings.bind(plan.series.level ?? 0.5, 'Float64')
  const value = `\`ValueAtQuantiles.Value\`[indexOf(\`ValueAtQuantiles.Quantile\`, ${level})]`
  const conditions = `${scope.conditions()} AND has(\`ValueAtQuantiles.Quantile\`, ${level})`
  return overSeries(scope, 'max', latestSql(scope, value, conditions))
}

/**
 * A sum: the increase in the bucket. Delta points contain it; for cumulative points it is the difference, and a counter
 * that drops adds nothing. A sum that is not monotonic uses its last value, unless the aggregation is its increase.
 */
async function sumSql(scope: MetricScope, aggFn: Aggregate | 'increase', from: number): Promise<string> {
  const value = await pointValue(scope)
  const counted = aggFn === 'increase' ? 'true' : 'IsMonotonic'
  const kinds = `any(AggregationTemporality = 1) AS __delta, any(${counted}) AS __counted`
  const increase = increaseOf('value', value, scope.timestamp, 'AggregationTemporality = 1', counted)
  const buckets = bucketsSql(scope, from, [kinds, increase.columns, `argMax(${value}, ${scope.timestamp}) AS __level`])
  return overSeries(
    scope,
    aggFn === 'increase' ? 'sum' : aggFn,
    `SELECT *, multiIf(__delta OR __counted, ${increase.result}, __level) AS __value FROM (${buckets}) WHERE __time != toDateTime(0)`,
  )
}

/** Count, sum and average of a histogram or summary: over the increase in the bucket. */
function totalsSql(scope: MetricScope, from: number): string {
  const { plan, groups, timestamp } = scope
  const delta = plan.columns.has('AggregationTemporality') ? 'AggregationTemporality = 1' : 'false'
  const count = increaseOf('count', 'Count', timestamp, delta, 'true')
  const sum = increaseOf('sum', 'Sum', timestamp, delta, 'true')
  const buckets = bucketsSql(scope, from, [`any(${delta}) AS __delta`, count.columns, sum.columns])
  const totals: Partial<Record<AggFn, string>> = {
    count: 'toUInt64(sum(__count))',
    sum: 'sum(__sum)',
    avg: 'sum(__sum) / sum(__count)',
  }
  return `SELECT toUnixTimestamp(__time) AS ${names.bucket}${groupNames(groups)},
      ${totals[plan.series.aggFn]} AS ${names.value(plan.index)}
    FROM (SELECT *, ${count.result} AS __count, ${sum.result} AS __sum FROM (${buckets}) WHERE __time != toDateTime(0))
    GROUP BY __time${groupNames(groups)}`
}

/** The growth of a cumulative value in a bucket, including the step from the previous bucket. */
function increaseOf(name: string, value: string, timestamp: string, delta: string, counted: string) {
  const points = `arraySort(groupArrayIf((${timestamp}, toFloat64(${value})), NOT (${delta}) AND ${counted})).2`
  const columns = `${points} AS __points_${name}, sumIf(toFloat64(${value}), ${delta}) AS __added_${name},
    lagInFrame(__points_${name}[-1], 1, __points_${name}[1]) OVER __before AS __before_${name}`
  const rises = `arraySum(arrayMap(rise -> greatest(rise, 0), arrayDifference(arrayPushFront(__points_${name}, __before_${name}))))`
  return { columns, result: `if(__delta, __added_${name}, ${rises})` }
}
