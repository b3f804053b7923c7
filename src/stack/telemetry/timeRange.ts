/** The condition of a time range in SQL. */
import { timeExpressions } from '#contract/stack/sourceExpressions.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Bindings } from './bindings.ts'
import type { Value } from './fieldExpressions.ts'
import type { ColumnType, TableLayout } from './tableLayout.ts'

/** Milliseconds since 1970 as a moment of the engine. */
export function momentSql(milliseconds: number, bindings: Bindings): string {
  return `fromUnixTimestamp64Milli(${bindings.bind(milliseconds, 'Int64')})`
}

/** The times of a row, of a source that has several. */
export interface Times {
  /** The most exact one, in which rows are put into buckets. */
  main: Value
  /** The others, less exact, such as the date of a partition. */
  others: readonly Value[]
}

/** The times of a source, each read by `value`. */
export async function readTimes(source: Source, value: (expression: string) => Promise<Value>): Promise<Times> {
  return timesOf(await Promise.all(timeExpressions(source).map(value)))
}

/** The times among the values. The first of two equally exact ones is the main one. */
export function timesOf(values: readonly Value[]): Times {
  const main = values.reduce((best, next) => (exactness(next) > exactness(best) ? next : best))
  return { main, others: values.filter((other) => other !== main) }
}

const exactness = ({ type }: Value): number => (type.kind === 'time' ? (type.digits ?? -1) : -2)

interface TimeRange {
  /** Milliseconds since 1970. Both ends belong to the range. */
  from: number
  to: number
  timeKeys: TableLayout['timeKeys']
}

export function timeRangeSql(times: Times, { from, to, timeKeys }: TimeRange, bindings: Bindings): string {
  const [first, last] = [momentSql(from, bindings), momentSql(to, bindings)]
  const { sql: timestamp, type } = times.main
  // Repeated for the sorting key: the engine does not derive it, and would read whole days.
  // As a hint, it limits what is read, without a cost for each row.
  const keys = timeKeys.filter(({ column }) => column === timestamp)
  const again = keys.map(
    (key) =>
      ` AND indexHint(${key.function}(${timestamp}) BETWEEN ${key.function}(${first}) AND ${key.function}(${last}))`,
  )
  const start = isDate(type) ? `toDate(${first})` : first
  const others = times.others.filter(isColumn).map((other) => ` AND ${roundedRange(other, first, last)}`)
  return `${timestamp} >= ${start} AND ${timestamp} <= ${last}${again.join('')}${others.join('')}`
}

const isDate = (type: ColumnType): boolean => type.kind === 'time' && type.digits === undefined

/** An expression that the engine computes from a column, such as `toDate(Timestamp)`, needs no condition: it derives one from that of the column. */
const isColumn = ({ sql }: Value): boolean => sql.startsWith('`')

/** A range that leaves out no row of the exact one. A date may be that of any time zone. */
function roundedRange({ sql, type }: Value, first: string, last: string): string {
  if (isDate(type)) return `${sql} >= toDate(${first}) - 1 AND ${sql} <= toDate(${last}) + 1`
  return `${sql} >= toDateTime(${first}) AND ${sql} <= ${last}`
}
