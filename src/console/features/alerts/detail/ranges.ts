/** The time ranges of the page of an alert. */
const hour = 3_600_000

export const ranges = [
  { value: '1h', label: '1 h', length: hour },
  { value: '6h', label: '6 h', length: 6 * hour },
  { value: '24h', label: '24 h', length: 24 * hour },
  { value: '7d', label: '7 d', length: 168 * hour },
] as const
export type RangeName = (typeof ranges)[number]['value']

/** The shortest range with at least 40 windows, or the longest one. */
export function defaultRange(windowLength: number | null): RangeName {
  return (ranges.find(({ length }) => length >= 40 * (windowLength ?? 60_000)) ?? ranges[3]).value
}

/** The range up to now. It ends with a whole minute, so that it changes once a minute. */
export function spanOf(range: RangeName, now: number): { from: number; to: number } {
  const to = Math.ceil(now / 60_000) * 60_000
  const { length } = ranges.find(({ value }) => value === range) ?? ranges[0]
  return { from: to - length, to }
}
