/** The common parts of statements for all types of metrics. */
import type { Value } from '../fieldExpressions.ts'
import type { Plan, StatementBuilder } from './seriesPlan.ts'

/** Identifies a time series. */
export const timeSeriesSql = 'cityHash64(ServiceName, ResourceAttributes, ScopeName, ScopeAttributes, Attributes)'

/** The parts of a metric's statement that do not depend on its type. */
export interface MetricScope {
  builder: StatementBuilder
  plan: Plan
  timestamp: string
  groups: readonly Value[]
  /** The points of the metric from a time (epoch milliseconds) on, or from the start of the range. */
  conditions: (from?: number) => string
  /** Epoch milliseconds from which on points are read, so that those in the range have a previous one. */
  lookBack: number
  /** Time series whose first point in the range is their first at all, although they started before `lookBack`. */
  beginning: readonly bigint[]
}
