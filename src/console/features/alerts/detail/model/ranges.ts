import type { Span } from '#domain/time/span.ts'
/** The time ranges of the page of an alert. */
const minute = 60_000
const hour = 60 * minute

export const ranges = [
  { value: '1h', label: '1 h', length: hour },
  { value: '6h', label: '6 h', length: 6 * hour },
  { value: '24h', label: '24 h', length: 24 * hour },
  { value: '7d', label: '7 d', length: 168 * hour },
] as const
export type RangeName = (typeof ranges)[number]['value']
export const rangeNames = ranges.map(({ value }) => value)

/** The shortest range with at least 40 windows, or the longest one. */
export function defaultRange(windowLength: number | null): RangeName {
  return (ranges.find(({ length }) => length >= 40 * (windowLength ?? minute)) ?? ranges[3]).value
}

/** Rows of the last seconds may still arrive: the evaluator waits as long. */
const lag = 5_000
/** A range moves by this part of its length at least, so that long ones are not read every minute. */
const steps = 500

/** The range up to now. It moves in steps, because each step is a chart query. */
export function spanOf(range: RangeName, now: number): Span {
  const { length } = ranges.find(({ value }) => value === range) ?? ranges[0]
  const step = Math.ceil(length / steps / minute) * minute
  const to = Math.floor((now - lag) / step) * step
  return { from: to - length, to }
}
