/** The common parts of statements for all types of metrics. */
import type { Value } from '../fieldExpressions.ts'
import { groupColumns, groupNames, type Plan, type StatementBuilder } from './seriesPlan.ts'

/** Identifies a time series. */
export const timeSeries =
  'cityHash64(ServiceName, ResourceAttributes, ScopeName, ScopeAttributes, Attributes) AS __series'

/** The parts of a metric's statement that do not depend on its type. */
export interface MetricScope {
  builder: StatementBuilder
  plan: Plan
  timestamp: string
  groups: readonly Value[]
  /** Range, metric name and filter. */
  conditions: (from?: number) => string
}

/** One row for each time series and bucket; points before the range are in a bucket at 0. */
export function bucketsSql(scope: MetricScope, from: number, columns: readonly string[]): string {
  const { builder, timestamp, groups, conditions } = scope
  return `SELECT if(${timestamp} < ${builder.start}, toDateTime(0), ${builder.bucket(timestamp)}) AS __time
      ${groupColumns(groups)}, ${timeSeries}, max(${timestamp}) AS __last, ${columns.join(', ')}
    FROM ${builder.table} WHERE ${conditions(from)}
    GROUP BY __time${groupNames(groups)}, __series
    WINDOW __before AS (PARTITION BY __series${groupNames(groups)} ORDER BY __time
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`
}
