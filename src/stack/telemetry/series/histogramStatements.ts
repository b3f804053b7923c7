/**
 * Quantiles of histograms. Buckets of all time series are converted to cells `(upper, lower, count)`, summed where their
 * bounds agree, and the quantile is linearly interpolated within its cell.
 */
import { bucketsSql, type MetricScope } from './metricScope.ts'
import { groupNames, names } from './seriesPlan.ts'

export function quantileSql(scope: MetricScope, from: number): string {
  const { builder, plan, groups } = scope
  const level = builder.bindings.bind(plan.series.level ?? 0.5, 'Float64')
  const shape = plan.columns.has('BucketCounts') ? explicit : exponential
  const group = groupNames(groups)
  const buckets = bucketsSql(
    { ...scope, conditions: (start) => `${scope.conditions(start)} AND ${shape.filled}` },
    from,
    [
      'any(AggregationTemporality = 1) AS __delta',
      `groupArrayIf(${shape.point}, AggregationTemporality = 1) AS __added`,
      `argMinIf(${shape.point}, ${scope.timestamp}, AggregationTemporality != 1) AS __first`,
      `argMaxIf(${shape.point}, ${scope.timestamp}, AggregationTemporality != 1) AS __latest`,
      'lagInFrame(__latest, 1, __first) OVER __before AS __previous',
    ],
  )
  // Cumulative points: the difference to the previous point, at the coarser scale of both.
  const grown = shape.cells('__latest', '__previous', '')
  const before = shape.cells('__previous', '__latest', '-')
  const added = `arrayFlatten(arrayMap(point -> ${shape.cells('point', 'point', '')}, __added))`
  const cells = `SELECT __time${group}, __series, cell.1 AS __upper, cell.2 AS __lower, greatest(sum(cell.3), 0) AS __count
    FROM (${buckets}) ARRAY JOIN if(__delta, ${added}, arrayConcat(${grown}, ${before})) AS cell
    WHERE __time != toDateTime(0) GROUP BY __time${group}, __series, __upper, __lower`
  const summed = `SELECT __time${group}, __upper, __lower, sum(__count) AS __count
    FROM (${cells}) GROUP BY __time${group}, __upper, __lower HAVING __count > 0`
  return `SELECT toUnixTimestamp(__time) AS ${names.bucket}${group},
      arraySort(groupArray((__upper, __lower, __count))) AS __cells, arrayCumSum(__cells.3) AS __running,
      ${level} * __running[-1] AS __rank, arrayFirstIndex(total -> total >= __rank, __running) AS __at, __cells[__at] AS __cell,
      __cell.2 + (__cell.1 - __cell.2) * (1 - (__running[__at] - __rank) / __cell.3) AS ${names.value(plan.index)}
    FROM (${summed}) GROUP BY __time${group}`
}

/** Converts the points of one type of histogram to cells. */
interface Shape {
  /** The columns of a point, as a tuple. */
  point: string
  /** Points without buckets have no quantiles. */
  filled: string
  /** Cells of `point`, at a scale that `other` has too; with `-` they are subtracted. */
  cells(point: string, other: string, sign: '' | '-'): string
}

/**
 * The bucket below the first bound starts at zero, or at the bound if that is negative; the one above the last has no
 * width.
 */
const explicit: Shape = {
  point: '(BucketCounts, ExplicitBounds)',
  filled: 'notEmpty(ExplicitBounds)',
  cells: (point, _, sign) => `arrayMap((count, at) -> (
      ${point}.2[least(at, length(${point}.2))],
      if(at = 1, least(${point}.2[1], 0), ${point}.2[at - 1]),
      ${sign}toFloat64(count)), ${point}.1, arrayEnumerate(${point}.1))`,
}

/** Bucket `at` of scale s is between `2^(at / 2^s)` and `2^((at + 1) / 2^s)`; a coarser scale joins neighbors. */
const exponential: Shape = {
  point: '(Scale, ZeroCount, PositiveOffset, PositiveBucketCounts, NegativeOffset, NegativeBucketCounts)',
  filled: 'Count > 0',
  cells: (point, other, sign) => {
    const scale = `least(${point}.1, ${other}.1)`
    const index = (offset: string) => `floor((${offset} + at - 1) / exp2(${point}.1 - ${scale}))`
    const bound = (offset: string, more: 0 | 1) => `exp2((${index(offset)} + ${more}) * exp2(-${scale}))`
    const side = (counts: string, upper: string, lower: string) =>
      `arrayMap((count, at) -> (${upper}, ${lower}, ${sign}toFloat64(count)), ${counts}, arrayEnumerate(${counts}))`
    const [up, down] = [`${point}.3`, `${point}.5`]
    return `arrayConcat(
      ${side(`${point}.4`, bound(up, 1), bound(up, 0))},
      [(toFloat64(0), toFloat64(0), ${sign}toFloat64(${point}.2))],
      ${side(`${point}.6`, `-${bound(down, 0)}`, `-${bound(down, 1)}`)})`
  },
}
