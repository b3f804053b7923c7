/** The common parts of statements for all types of metrics. */
import type { Value } from '../fieldExpressions.ts'
import type { Times } from '../timeRange.ts'
import { quoted } from '../engine/tableName.ts'
import { pointFractions } from '../tableColumns.ts'
import type { Plan, StatementBuilder } from './seriesPlan.ts'

/** Identifies a time series. */
export const timeSeriesSql = 'cityHash64(ServiceName, ResourceAttributes, ScopeName, ScopeAttributes, Attributes)'

/** The parts of a metric's statement that do not depend on its type. */
export interface MetricScope {
  builder: StatementBuilder
  plan: Plan
  /** The times of a row, for the condition of a range. */
  times: Times
  /** The expression of the time that is read. */
  timestamp: string
  /** The time and the start of a point, nanoseconds since 1970; a start of 0 is not known. */
  time: string
  start: string
  groups: readonly Value[]
  /** The points of the metric from a time (epoch milliseconds) on, or from the start of the range. */
  conditions: (from?: number) => string
  /** Epoch milliseconds from which on points are read, so that those in the range have a previous one. */
  lookBack: number
  /** Time series whose first point in the range is their first at all, although they started before `lookBack`. */
  beginning: readonly bigint[]
}

/** The time and the start of a point in nanoseconds. A table without start times says nothing of them. */
export function pointTimes(timestamp: string, { columns }: Plan): Pick<MetricScope, 'time' | 'start'> {
  const start = 'StartTimeUnix'
  return {
    time: nanosecondsSql(timestamp, columns),
    start: columns.has(start) ? nanosecondsSql(quoted(start), columns) : 'toInt64(0)',
  }
}

/** Columns of whole seconds may have the rest in a column of their own. */
function nanosecondsSql(time: string, columns: Plan['columns']): string {
  const fraction = Object.keys(pointFractions).find((name) => quoted(name.replace('Fraction', '')) === time)
  const nanoseconds = `toUnixTimestamp64Nano(toDateTime64(${time}, 9))`
  return fraction && columns.has(fraction) ? `(${nanoseconds} + ${quoted(fraction)})` : nanoseconds
}
