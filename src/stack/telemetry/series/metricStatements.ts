/**
 * Series over metrics (docs/DEPLOYMENTS.md#chart-series). The points of one metric are first combined by time
 * series (one set of attributes) and bucket, then aggregated over the time series.
 */
import { distributionAggFns, type AggFn, type ChartSeries } from '#contract/stack/charts.ts'
import type { Engine } from '../engine/engine.ts'
import { aggregateSql, finiteSql, noCounter, numericSql, type Aggregate } from './aggregateFunctions.ts'
import { ChartError } from './chartError.ts'
import { findStartingSeries, seriesWithUnknownStart } from './firstPoints.ts'
import { grownSql, growthSql, undecidedSql, valueOf } from './counterIncrease.ts'
import { quantileSql, totalsSql } from './histogramStatements.ts'
import { pointTimes, timeSeriesSql, type MetricScope } from './metricScope.ts'
import {
  groupColumns,
  groupNames,
  names,
  StatementBuilder,
  type ParsedChartQuery,
  type Plan,
  type Statement,
} from './seriesPlan.ts'

export async function metricStatement(
  engine: Engine,
  query: ParsedChartQuery,
  plan: Plan,
  beginning: readonly bigint[] = [],
): Promise<Statement> {
  const newBuilder = () => new StatementBuilder(engine, query, plan)
  const builder = newBuilder()
  const times = await builder.times()
  const timestamp = times.main.sql
  const groups = await builder.groups()
  const where = await builder.where(plan)
  const metric = metricName(plan)
  const name = builder.bindings.bind(metric, 'String')
  const conditions = (from = query.startTime) =>
    [`MetricName = ${name}`, builder.inRange(times, from), ...(where ? [where] : [])].join(' AND ')
  const scope: MetricScope = {
    builder,
    plan,
    times,
    timestamp,
    ...pointTimes(timestamp, plan),
    groups,
    conditions,
    lookBack: lookBack(builder, query),
    beginning,
  }
  return {
    sql: await statementOf(scope),
    bindings: builder.bindings,
    groups: groups.length,
    plans: [plan],
    sparse: new Set(),
    async again(rows, run) {
      const undecided = beginning.length > 0 ? [] : seriesWithUnknownStart(rows)
      const found = await findStartingSeries(undecided, { scope, newBuilder, metricName: metric, run })
      return found.length > 0 ? metricStatement(engine, query, plan, found) : null
    },
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

async function statementOf(scope: MetricScope): Promise<string> {
  const { series, path, columns } = scope.plan
  const { aggFn } = series
  if (aggFn === 'none')
    throw new ChartError(400, `${path}.aggFn`, 'a metric needs an aggregate function: none is not one')
  if (columns.has('BucketCounts') || columns.has('PositiveBucketCounts')) {
    requireOneOf(series, distributionAggFns, `${path}.aggFn`, 'a histogram')
    return aggFn === 'quantile' ? quantileSql(scope) : totalsSql(scope)
  }
  if (columns.has('ValueAtQuantiles.Value')) {
    requireOneOf(series, distributionAggFns, `${path}.aggFn`, 'a summary')
    return aggFn === 'quantile' ? summaryQuantileSql(scope) : totalsSql(scope)
  }
  if (columns.has('IsMonotonic')) return sumSql(scope, aggFn)
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
function lookBack(builder: StatementBuilder, query: ParsedChartQuery): number {
  return Math.max(0, query.startTime - Math.max(builder.step * 1000, shortestLookBackMs))
}

/** The values to aggregate over time series: `__value` of a bucket, the latest by `__last`. */
function overSeries({ builder, plan, groups }: MetricScope, aggFn: Aggregate, inner: string, undecided = ''): string {
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
  return `SELECT toUnixTimestamp(__time) AS ${names.bucket}${groupNames(groups)}, ${aggregate} AS ${names.value(plan.index)}${undecided}
    FROM (${inner}) GROUP BY __time${groupNames(groups)}`
}

/** The value of a point: its column, or an expression over it if there is a field beside the metric's name. */
async function pointValue({ builder, plan }: MetricScope): Promise<string> {
  const { metricName, field } = plan.series
  if (!metricName?.trim() || !field?.trim()) return finiteSql('Value')
  const value = await builder.value(field, `${plan.path}.field`)
  return numericSql(value, plan.path)
}

/** The value of a gauge is its last one. Its groups are ranked by all points: a peak may be in the middle of the range. */
async function gaugeSql(scope: MetricScope, aggFn: Aggregate): Promise<string> {
  const values = scope.builder.ranks ? pointsSql : latestSql
  return overSeries(scope, aggFn, values(scope, await pointValue(scope), scope.conditions()))
}

/** All values that are finite. */
function pointsSql({ builder, timestamp, time, groups }: MetricScope, value: string, conditions: string): string {
  return `SELECT ${builder.bucket(timestamp)} AS __time${groupColumns(groups)}, assumeNotNull(${value}) AS __value, ${time} AS __last
    FROM ${builder.table} WHERE ${conditions} AND (${value}) IS NOT NULL`
}

/** The last value of each time series and bucket, of those that are finite: of those at the same time, the largest. */
function latestSql({ builder, timestamp, time, groups }: MetricScope, value: string, conditions: string): string {
  return `SELECT ${builder.bucket(timestamp)} AS __time${groupColumns(groups)}, ${timeSeriesSql} AS __series,
      argMax(assumeNotNull(${value}), ${latestOrder(time, `assumeNotNull(${value})`)}) AS __value, max(${time}) AS __last
    FROM ${builder.table} WHERE ${conditions} AND (${value}) IS NOT NULL
    GROUP BY __time${groupNames(groups)}, __series`
}

/**
 * A number that orders values by time (nanoseconds) and then by value. A tuple of both would be much slower with many time
 * series. The bits of a double are in the order of its value once the sign is turned, and those of negative ones all.
 */
function latestOrder(time: string, value: string): string {
  const bits = `bitXor(reinterpretAsUInt64(toFloat64(${value}) + 0), if(${value} < 0, bitNot(toUInt64(0)), bitShiftLeft(toUInt64(1), 63)))`
  return `bitOr(bitShiftLeft(toUInt128(${time}), 64), toUInt128(${bits}))`
}

/** Quantiles of summaries cannot be combined: over several time series, the highest is used. */
function summaryQuantileSql(scope: MetricScope): string {
  const { builder, plan } = scope
  const level = builder.bindings.bind(plan.series.level ?? 0.5, 'Float64')
  const value = finiteSql(`\`ValueAtQuantiles.Value\`[indexOf(\`ValueAtQuantiles.Quantile\`, ${level})]`)
  const conditions = `${scope.conditions()} AND has(\`ValueAtQuantiles.Quantile\`, ${level})`
  return overSeries(scope, 'max', latestSql(scope, value, conditions))
}

/**
 * The increase of a sum. Where points are deltas and may be negative, only rises count: `__plus` has the points of the bucket,
 * and `greatest` makes the negative ones 0.
 */
const roseSql = `if(__delta AND __may_fall, arraySum(arrayMap(one -> greatest(${valueOf('one', 0)}, 0), __plus)), ${growthSql(0)})`

/**
 * A sum: what was added in the bucket. A sum that is not monotonic uses its last value, unless the aggregation is its
 * increase, which is what it rose by.
 */
async function sumSql(scope: MetricScope, aggFn: Aggregate | 'increase'): Promise<string> {
  const value = await pointValue(scope)
  const points = grownSql(scope, {
    values: [`assumeNotNull(toFloat64(${value}))`],
    isDelta: 'AggregationTemporality = 1',
    mayFall: 'NOT IsMonotonic',
    fell: (point, before) => `${valueOf(point, 0)} < ${valueOf(before, 0)}`,
    filter: `(${value}) IS NOT NULL`,
  })
  const added =
    aggFn === 'increase' ? roseSql : `if(__delta OR NOT __may_fall, ${growthSql(0)}, ${valueOf('__latest', 0)})`
  return overSeries(
    scope,
    aggFn === 'increase' ? 'sum' : aggFn,
    `SELECT *, __latest.1 AS __last, ${added} AS __value FROM (${points})`,
    `, ${undecidedSql}`,
  )
}
