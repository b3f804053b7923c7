/**
 * Times of rows, in UTC, to the nanosecond. Deployments answer `2026-11-20T19:23:48.206000001Z` with as many digits of the second
 * as the column has, older ones `2026-11-20 19:23:48.206000001`.
 */
import { quotedText } from '#domain/query/sqlValues.ts'

const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z?)?$/

/** Nanoseconds since 1970; null for what is not such a time. */
export function nanosecondsOf(time: string): bigint | null {
  const [, day, clock = '00:00:00', fraction = ''] = written.exec(time) ?? []
  const seconds = Date.parse(`${day}T${clock}Z`)
  return Number.isNaN(seconds) ? null : BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/** Epoch milliseconds, rounded down; NaN for what is not such a time. */
export function millisecondsOf(time: string): number {
  const nanoseconds = nanosecondsOf(time)
  if (nanoseconds === null) return Number.NaN
  const rest = ((nanoseconds % 1_000_000n) + 1_000_000n) % 1_000_000n
  return Number((nanoseconds - rest) / 1_000_000n)
}

/** A condition in SQL for the rows of exactly this time, in whichever form it is written. */
export function sqlAtTime(expression: string, time: string): string {
  return `${expression} = parseDateTime64BestEffort(${quotedText(time)}, 9, 'UTC')`
}
