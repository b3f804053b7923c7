/**
 * Histograms and summaries: their count, sum and average, and quantiles of histograms. For those, the buckets that were
 * added are converted to cells `(upper, lower, count)` and summed where their bounds agree, and the quantile is linearly
 * interpolated within its cell.
 */
import type { AggFn } from '#contract/stack/charts.ts'
import { grownSql, growthSql, undecidedSql, valueOf } from './counterIncrease.ts'
import { exponentialShape, explicitShape, withoutBuckets, type Shape } from './histogramShapes.ts'
import type { MetricScope } from './metricScope.ts'
import { groupNames, names, type Plan } from './seriesPlan.ts'

/** The values of a point: `layout` is equal in points whose buckets can be compared one by one. */
const [count, sum, layout, buckets] = [0, 1, 2, 3]

/** Count, sum and average of what was added in the bucket. Points whose sum is not finite have no part in sum and average. */
export function totalsSql(scope: MetricScope): string {
  const { plan, groups } = scope
  const { aggFn } = plan.series
  const group = groupNames(groups)
  const totals: Partial<Record<AggFn, string>> = {
    count: 'toUInt64(sum(__count))',
    sum: 'sum(__sum)',
    avg: 'sum(__sum) / sum(__count)',
  }
  const points = pointsSql(scope, shapeOf(plan), aggFn === 'count' ? {} : { filter: 'isFinite(Sum)' })
  return `SELECT toUnixTimestamp(__time) AS ${names.bucket}${group},
      ${totals[aggFn]} AS ${names.value(plan.index)}, ${undecidedSql}
    FROM (SELECT __time${group}, ${growthSql(count)} AS __count, ${growthSql(sum)} AS __sum, ${names.undecided} FROM (${points}))
    GROUP BY __time${group}`
}

export function quantileSql(scope: MetricScope): string {
  const { builder, plan, groups } = scope
  const level = builder.bindings.bind(plan.series.level ?? 0.5, 'Float64')
  const shape = shapeOf(plan)
  const group = groupNames(groups)
  const cellsOf = (points: string, sign: '' | '-') =>
    `arrayFlatten(arrayMap(one -> ${shape.cells('one', '__scale', sign)}, ${points}))`
  // Time series without buckets, and undecided ones, are in rows of an empty cell.
  const cells = `SELECT __time${group}, cell.1 AS __upper, cell.2 AS __lower, sum(cell.3) AS __count, ${undecidedSql}
    FROM (SELECT *, ${shape.scale('arrayConcat(__plus_carried, __minus_carried)')} AS __scale
      FROM (${pointsSql(scope, shape, { carried: shape.point })}))
    ARRAY JOIN arrayPushFront(arrayConcat(${cellsOf('__plus_carried', '')}, ${cellsOf('__minus_carried', '-')}),
      (toFloat64(0), toFloat64(0), toFloat64(0))) AS cell
    GROUP BY __time${group}, __upper, __lower`
  return `SELECT toUnixTimestamp(__time) AS ${names.bucket}${group},
      arraySort(groupArrayIf((__upper, __lower, __count), __count > 0)) AS __cells, arrayCumSum(__cells.3) AS __running,
      ${level} * __running[-1] AS __rank, arrayFirstIndex(total -> total >= __rank, __running) AS __at, __cells[__at] AS __cell,
      __cell.2 + (__cell.1 - __cell.2) * (1 - (__running[__at] - __rank) / __cell.3) AS ${names.value(plan.index)},
      ${undecidedSql}, empty(__cells) AS ${names.absent}
    FROM (${cells}) GROUP BY __time${group}`
}

/**
 * The points with their totals. Count, sum and buckets begin again together, whichever of them shows it. Buckets are
 * only needed for that without a start time.
 */
function pointsSql(scope: MetricScope, shape: Shape, more: Partial<Parameters<typeof grownSql>[1]> = {}): string {
  const compared = `if(${scope.start} = 0, [${shape.point}], [])`
  return grownSql(scope, {
    values: ['toInt64(Count)', 'Sum', ...(shape.point ? [shape.layout, compared] : [])],
    isDelta: scope.plan.columns.has('AggregationTemporality') ? 'AggregationTemporality = 1' : 'false',
    fell: (point, before) => {
      const fewer = `${valueOf(point, count)} < ${valueOf(before, count)}`
      if (!shape.point) return fewer
      const [now, earlier] = [valueOf(point, buckets), valueOf(before, buckets)]
      const inBuckets = `notEmpty(${now}) AND notEmpty(${earlier}) AND ${shape.fell(`${now}[1]`, `${earlier}[1]`)}`
      return `(${fewer} OR ${valueOf(point, layout)} != ${valueOf(before, layout)} OR ${inBuckets})`
    },
    ...more,
  })
}

function shapeOf({ columns }: Plan): Shape {
  if (columns.has('BucketCounts')) return explicitShape
  return columns.has('PositiveBucketCounts') ? exponentialShape : withoutBuckets
}
