/** The numbers of a series in the legend and in the summary. */
import type { Frame } from './series.ts'

export interface Stats {
  min: number
  max: number
  mean: number
  last: number
  total: number
  minAt: number
  maxAt: number
  /** Change from the first third to the last, relative to the first; null with too few values. */
  change: number | null
}

/** Statistics of the values; null when there are none. Times are epoch milliseconds. */
export function statsOf(times: readonly number[], values: readonly (number | null)[]): Stats | null {
  const present: number[] = []
  let [min, max, total, minAt, maxAt] = [Infinity, -Infinity, 0, 0, 0]
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (value == null || !Number.isFinite(value)) continue
    present.push(value)
    total += value
    if (value < min) [min, minAt] = [value, times[index]!]
    if (value > max) [max, maxAt] = [value, times[index]!]
  }
  const last = present.at(-1)
  if (last === undefined) return null
  return { min, max, mean: total / present.length, last, total, minAt, maxAt, change: changeOf(present) }
}

function changeOf(values: number[]): number | null {
  const third = Math.floor(values.length / 3)
  if (third < 2) return null
  const before = mean(values.slice(0, third))
  const after = mean(values.slice(-third))
  if (before === 0) return after === 0 ? 0 : null
  return (after - before) / Math.abs(before)
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** `rising by 40 %`, `falling by 12 %`, `steady` (below 10 %); empty without a change. */
export function formatTrend(change: number | null): string {
  if (change === null) return ''
  if (Math.abs(change) < 0.1) return 'steady'
  const size = Math.abs(change)
  const by = size >= 10 ? `${Math.round(size + 1)}-fold` : `by ${Math.round(size * 100)} %`
  return `${change > 0 ? 'rising' : 'falling'} ${by}`
}

/** Statistics of every row without incomplete buckets at its end: the last value would always be too low. */
export function frameStats(frame: Frame, complete: (time: number) => boolean): Map<string, Stats> {
  const length = frame.times.findLastIndex((time) => complete(time)) + 1
  const times = frame.times.slice(0, length)
  const stats = new Map<string, Stats>()
  for (const { series, values } of frame.rows) {
    const found = statsOf(times, values.slice(0, length)) ?? statsOf(frame.times, values)
    if (found) stats.set(series.id, found)
  }
  return stats
}
