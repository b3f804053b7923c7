/** Queries that one statement can answer. */
import type { AlertQuery } from '#domain/alerting/alertQuery.ts'
import type { AlertWindow } from '#domain/alerting/schedule.ts'
import type { ParsedChartQuery } from '../../telemetry/series/seriesPlan.ts'

/** The windows of a query: one after the other, all of the same length. */
export interface Span {
  windows: readonly AlertWindow[]
  /** The interval of the alert, such as `5m`. */
  interval: string
  /** Milliseconds from a multiple of the interval to the start of a window. */
  phase: number
}

export interface WindowQuery<Q extends AlertQuery = AlertQuery> {
  alertQuery: Q
  span: Span
}

/** Equal for queries that one statement can answer: same source, group columns and windows. */
export function scanKey({ alertQuery, span }: WindowQuery): string {
  const columns = alertQuery.kind === 'sql' ? [alertQuery.template] : alertQuery.groupBy
  return JSON.stringify([
    alertQuery.kind,
    alertQuery.sourceId,
    columns,
    span.interval,
    span.phase,
    startOf(span),
    endOf(span),
  ])
}

const startOf = ({ windows }: Span) => windows[0]?.start ?? 0
const endOf = ({ windows }: Span) => windows.at(-1)?.end ?? 0

/**
 * The chart query with the range and buckets of the windows. Both ends of a range belong to it, so a row at the very end
 * gets a bucket of its own, which `Tally` leaves out.
 */
export function queryOf(span: Span): Omit<ParsedChartQuery, 'series'> {
  return {
    startTime: startOf(span),
    endTime: endOf(span),
    // The intervals of alerts are granularities of charts.
    granularity: span.interval as ParsedChartQuery['granularity'],
    phase: span.phase / 1000,
  }
}
