/** The condition of a time range in SQL. */
import type { Bindings } from './bindings.ts'
import type { TableLayout } from './tableLayout.ts'

/** Milliseconds since 1970 as a moment of the engine. */
export function momentSql(milliseconds: number, bindings: Bindings): string {
  return `fromUnixTimestamp64Milli(${bindings.bind(milliseconds, 'Int64')})`
}

interface TimeRange {
  /** Milliseconds since 1970. Both ends belong to the range. */
  from: number
  to: number
  timeKeys: TableLayout['timeKeys']
}

/** @param timestamp the column or expression that is compared */
export function timeRangeSql(timestamp: string, { from, to, timeKeys }: TimeRange, bindings: Bindings): string {
  const [first, last] = [momentSql(from, bindings), momentSql(to, bindings)]
  // Repeated for the sorting key: the engine does not derive it, and would read whole days.
  // As a hint, it limits what is read, without a cost for each row.
  const keys = timeKeys.filter(({ column }) => column === timestamp)
  const again = keys.map(
    (key) =>
      ` AND indexHint(${key.function}(${timestamp}) BETWEEN ${key.function}(${first}) AND ${key.function}(${last}))`,
  )
  return `${timestamp} >= ${first} AND ${timestamp} <= ${last}${again.join('')}`
}
