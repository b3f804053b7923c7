/** The aggregate functions of a series, in SQL. */
import type { AggFn } from '#contract/stack/charts.ts'
import type { Bindings } from '../bindings.ts'
import type { Value } from '../fieldExpressions.ts'
import { ChartError } from './chartError.ts'

/** The arguments of one aggregate function. */
export type Aggregate = Exclude<AggFn, 'none' | 'increase'>

export interface Aggregation {
  aggFn: Aggregate
  /** The aggregated expression; `count` needs none. */
  value: Value | undefined
  /** Orders the rows for `last_value`. */
  timestamp: string
  /** Quantile, 0 to 1. */
  level: number | undefined
  /** Only rows that satisfy this condition count. */
  condition: string | undefined
}

/** Returns numbers as Float64, counts as UInt64, and sums, extremes and last values of decimals as decimals. `path` is that of the series, for errors. */
export function aggregateSql(aggregation: Aggregation, bindings: Bindings, path: string): string {
  const { aggFn, value, timestamp, level = 0.5, condition } = aggregation
  const call = (name: string, ...parameters: string[]) =>
    condition ? `${name}(${[...parameters, condition].join(', ')})` : `${name}(${parameters.join(', ')})`
  const If = condition ? 'If' : ''
  if (aggFn === 'count') return call(`count${If}`)
  if (!value) throw new ChartError(400, `${path}.field`, `${aggFn} needs a field: a column or an expression`)
  switch (aggFn) {
    case 'count_distinct':
      return call(`uniqExact${If}`, comparableSql(value, path))
    case 'any':
      return call(`any${If}`, comparableSql(value, path))
    case 'quantile':
      return `toFloat64(${call(`quantile${If}(${bindings.bind(level, 'Float64')})`, doubleSql(value, path))})`
    case 'last_value':
      return asNumber(call(`argMax${If}`, ...latestBy(timestamp, numericSql(value, path))), value)
    case 'avg':
      return `toFloat64(${call(`avg${If}`, addendSql(value, path))})`
    case 'sum':
      return asNumber(call(`sum${If}`, addendSql(value, path)), value)
    default:
      return asNumber(call(`${aggFn}${If}`, numericSql(value, path)), value)
  }
}

/** The arguments of `argMax` for the latest of some values: of those at the same time, the largest. */
const latestBy = (timestamp: string, value: string): [value: string, by: string] => [value, `(${timestamp}, ${value})`]

/** The engine adds up integers in their own type, and a total that does not fit would wrap to a wrong one. */
function addendSql(value: Value, path: string): string {
  const sql = numericSql(value, path)
  return value.type.kind === 'number' && value.type.sum ? `to${value.type.sum}(${sql})` : sql
}

/** Between two decimals, the engine would cut a quantile to their digits. */
function doubleSql(value: Value, path: string): string {
  const sql = numericSql(value, path)
  return value.type.kind === 'number' && value.type.decimal ? `toFloat64(${sql})` : sql
}

/** A result as a double, unless it is a decimal, whose digits are kept. */
function asNumber(sql: string, { type }: Value): string {
  return type.kind === 'number' && type.decimal ? sql : `toFloat64(${sql})`
}

/** A value of any type. */
const comparableSql = (value: Value, path: string): string =>
  value.type.kind === 'number' ? numericSql(value, path) : value.sql

/**
 * Text values, such as those of attributes, count if they are numbers. What is not finite is NULL, which aggregates
 * ignore: one NaN would be the sum, the average and the maximum of everything.
 */
export function numericSql({ sql, type }: Value, path: string): string {
  switch (type.kind) {
    case 'number':
      return type.floating ? finiteSql(sql) : sql
    case 'bool':
      return `toUInt8(${sql})`
    case 'time':
      return `toFloat64(${sql})`
    case 'text':
      return finiteSql(`toFloat64OrNull(${sql})`)
    case 'map':
    case 'array':
      throw new ChartError(
        400,
        `${path}.field`,
        type.kind === 'map'
          ? 'a map has no one number: name a key, as in SpanAttributes.http.status_code'
          : 'an array has no one number: reduce it, as in length(…) or arraySum(…)',
      )
    default:
      return finiteSql(`toFloat64OrNull(toString(${sql}))`)
  }
}

/** A number; NULL for NaN and the infinities. */
export function finiteSql(sql: string): string {
  return `if(isFinite(toFloat64(${sql})), ${sql}, NULL)`
}

/** The error for `increase` of a metric that is not a counter. */
export function noCounter(path: string): ChartError {
  return new ChartError(400, `${path}.aggFn`, 'increase is what counters grew by: it needs a metric of type sum')
}
