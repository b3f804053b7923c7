/**
 * The increase that cumulative points add: the difference to the previous point of their time series, or all that they hold if it came
 * after the previous point. The start time that is stored with a point says which; without one, a fall does. Within a
 * run of points without a new start the differences add up to the last point less the one before the first.
 */
import { timeSeriesSql, type MetricScope } from './metricScope.ts'
import { groupColumns, groupNames, names } from './seriesPlan.ts'

/** A point as it is read: a tuple of its time, its start (both in nanoseconds), and these. */
interface PointColumns {
  /** Expressions. The first does not fall unless the time series begins again, and orders points of the same time. */
  values: readonly string[]
  /** Whether a point holds only what came after the previous one. */
  isDelta: string
  /** Whether `point`, compared to the one before, shows that the time series began again. */
  fell: (point: string, before: string) => string
  /** Whether a fall is one of the value, which adds nothing. */
  mayFall?: string
  /** Points that are not read. */
  filter?: string
  /** A large value of the point, which only those of `__plus` and `__minus` keep: as `__plus_carried` and `__minus_carried`. */
  carried?: string
}

/** A value of a point by its place in `values`. */
export const valueOf = (point: string, at: number): string => `${point}.${at + 3}`

/**
 * One row for each time series, group and bucket (`__time`), with the points whose values are added up to its growth
 * (`__plus`) and those that are subtracted (`__minus`), its last point (`__latest`), and `__undecided`.
 */
export function grownSql(scope: MetricScope, columns: PointColumns): string {
  const { builder, timestamp, time, start, groups, conditions, lookBack } = scope
  const { isDelta, mayFall = 'false', filter, carried } = columns
  const group = groupNames(groups)
  const point = `(${[time, start, ...columns.values].join(', ')})`
  // A point that starts at its own time says that nothing is known of before.
  const known = (point: string) => `${point}.2 > 0 AND ${point}.2 < ${point}.1`
  const begunAgain = (point: string, before: string) =>
    `(${known(point)} AND ${point}.2 > ${before}.2 AND ${point}.2 >= ${before}.1 OR NOT __may_fall AND ${columns.fell(point, before)})`
  const sank = (point: string, before: string) => `(__may_fall AND ${valueOf(point, 0)} < ${valueOf(before, 0)})`
  // A sum that may fall: it rose from zero to nothing.
  const belowZero = (point: string) => `__may_fall AND ${valueOf(point, 0)} < 0`
  // The previous point of each, from the second on.
  const pairs = (condition: (point: string, before: string) => string) =>
    `arrayMap((one, before) -> ${condition('one', 'before')}, arraySlice(__points, 2), arrayPopBack(__points))`
  // A lambda must not use arrays from outside of it: the engine copies them for each element.
  const sortedCarried =
    carried === undefined
      ? ''
      : `, arraySort((_, one) -> (one.1, one.2, one.3), groupArray(${carried}), __all) AS __carried`
  const points = `SELECT if(${timestamp} < ${builder.start}, toDateTime(0), ${builder.bucket(timestamp)}) AS __time
      ${groupColumns(groups)}, ${timeSeriesSql} AS __series, any(cityHash64(Attributes)) AS __attributes,
      ${isDelta} AS __delta, any(${mayFall}) AS __may_fall,
      groupArray(${point}) AS __all, arraySort(one -> (one.1, one.2, one.3), __all) AS __points${sortedCarried}
    FROM ${builder.table} WHERE ${[conditions(lookBack), ...(filter ? [filter] : [])].join(' AND ')}
    GROUP BY __time${group}, __series, __delta`
  const carriedOf =
    carried === undefined
      ? ''
      : `, arrayFilter((_, ends) -> ends, __carried, __ends) AS __plus_carried, __carried[1] AS __head_carried, __carried[-1] AS __latest_carried`
  const runs = `SELECT __time${group}, __series, __attributes, __delta, __may_fall,
      __points[1] AS __head, __points[-1] AS __latest, ${pairs(begunAgain)} AS __again, ${pairs(sank)} AS __sank,
      arrayPushBack(arrayMap((again, sank) -> __delta OR again OR sank, __again, __sank), true) AS __ends,
      arrayFilter((_, ends) -> ends, __points, __ends) AS __plus${carriedOf},
      if(__delta, [], arrayFilter((one, again, sank) -> if(again, ${belowZero('one')}, sank), arraySlice(__points, 2), __again, __sank)) AS __lows
    FROM (${points})`
  const previous = ['__latest', ...(carried === undefined ? [] : ['__latest_carried'])]
    .map((name) => `lagInFrame(${name}) OVER before AS __previous${name.slice('__latest'.length)}`)
    .join(', ')
  const compared = `SELECT *, row_number() OVER before = 1 AS __first, ${previous}
    FROM (${runs})
    WINDOW before AS (PARTITION BY __series, __delta${group} ORDER BY __time
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`
  const begins =
    scope.beginning.length > 0 ? `__series IN ${builder.bindings.bind(scope.beginning, 'Array(UInt64)')}` : 'false'
  /** The point that the first of the bucket is compared to: none, itself, or the previous one. */
  const before = (suffix = '') => `multiIf(__same, [__head${suffix}], __new, [], [__previous${suffix}])`
  return `SELECT *, __first AND NOT __delta AND ${known('__head')} AND __head.2 < ${builder.bindings.bind(BigInt(lookBack) * 1_000_000n, 'Int64')} AND NOT ${begins} AS __open,
      __delta OR if(__first, ${known('__head')} AND NOT __open, ${begunAgain('__head', '__previous')}) AS __new,
      if(__new, ${belowZero('__head')} AND NOT __delta, __first OR ${sank('__head', '__previous')}) AS __same,
      arrayConcat(__lows, ${before()}) AS __minus${carried === undefined ? '' : `, ${before('_carried')} AS __minus_carried`},
      if(__open, [(__series, __attributes, toUInt32(intDiv(__head.2, 1000000000)))], []) AS ${names.undecided}
    FROM (${compared}) WHERE __time != toDateTime(0)`
}

/** The increase of a value, over the rows of `grownSql`. */
export function growthSql(at: number): string {
  const total = (points: string) => `arraySum(arrayMap(one -> ${valueOf('one', at)}, ${points}))`
  return `(${total('__plus')} - ${total('__minus')})`
}

/** The time series that rows leave undecided: see `firstPoints.ts`. */
export const undecidedSql = `groupUniqArrayArray(${names.undecided}) AS ${names.undecided}`
