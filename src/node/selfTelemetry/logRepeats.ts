/**
 * Leaves repetitions out of a log: while a disk is full or a database is away, the same warning would be written several times
 * a second.
 */
import type { LoggerOptions } from 'pino'

/** Milliseconds in which a message is written at most `mostWritten` times. */
const period = 60_000
const maxWritten = 5
/** Messages that are counted at a time. The one that was counted first is forgotten. */
const maxCounted = 1000
/** Pino's level of warnings. What is below is requests and news, each its own. */
const warning = 40

interface Count {
  /** Monotonic milliseconds. */
  since: number
  written: number
  leftOut: number
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/**
 * A hook for pino. Of the warnings and errors with the same text, error and fields, five are written a minute. The first one of
 * a later minute has `leftOut`, the number of those that were not written before it.
 */
export function leaveOutRepeats(now: () => number = () => performance.now()): LogMethod {
  const counts = new Map<string, Count>()
  return function (args, method, level) {
    if (level < warning) return method.apply(this, args)
    const key = keyOf(level, args)
    const count = counts.get(key)
    if (count && now() - count.since < period) {
      if (count.written >= maxWritten) return void count.leftOut++
      count.written++
      return method.apply(this, args)
    }
    counts.delete(key)
    counts.set(key, { since: now(), written: 1, leftOut: 0 })
    const [oldest] = counts.keys()
    if (counts.size > maxCounted && oldest !== undefined) counts.delete(oldest)
    const log = count && count.leftOut > 0 ? this.child({ leftOut: count.leftOut }) : this
    method.apply(log, args)
  }
}

/** A log line without its numbers, which differ from one time to the next, and without the stack of its error. */
function keyOf(level: number, args: readonly unknown[]): string {
  return `${level} ${args.map(textOf).join(' ').slice(0, 2000).replaceAll(/\d+/g, '0')}`
}

function textOf(arg: unknown): string {
  try {
    return JSON.stringify(arg, (_, value) => (value instanceof Error ? value.message : value)) ?? ''
  } catch {
    // Circular, or with a bigint: pino writes it, and its message still counts.
    return ''
  }
}
