/** The numbers of a series in the legend and in the summary. */
import { rollup } from 'd3-array'
import type { Frame } from './series.ts'

export interface Stats {
  min: number
  max: number
  mean: number
  last: number
  total: number
  minAt: number
  maxAt: number
  /** Change from the first third to the last, relative to the first; null where that may be chance. */
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
  const change = (after - before) / Math.abs(before)
  return isSteady(change) || isTrend(values) ? change : null
}

const isSteady = (change: number): boolean => Math.abs(change) < 0.1

/** Points that are compared at most: every one with every other. */
const maxCompared = 60
/** Standard deviations beyond which a trend is no chance, of 19 in 20. */
const significant = 1.96

/** Whether values rise or fall over time beyond chance: the test of Mann and Kendall, over the means of their parts. */
function isTrend(values: number[]): boolean {
  const size = Math.ceil(values.length / maxCompared)
  const parts = Array.from({ length: Math.ceil(values.length / size) }, (_, at) =>
    mean(values.slice(at * size, (at + 1) * size)),
  )
  const count = parts.length
  let rises = 0
  for (let at = 1; at < count; at++) for (let to = 0; to < at; to++) rises += Math.sign(parts[at]! - parts[to]!)
  const ties = [...rollup(parts, ({ length }) => length, Number).values()]
  const spread = (of: number) => of * (of - 1) * (2 * of + 5)
  const variance = (spread(count) - ties.reduce((sum, tie) => sum + spread(tie), 0)) / 18
  return (Math.abs(rises) - 1) / Math.sqrt(variance) > significant
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** `rising by 40 %`, `falling by 12 %`, `steady` (below 10 %); empty where a change may be chance. */
export function formatTrend(change: number | null): string {
  if (change === null) return ''
  if (isSteady(change)) return 'steady'
  const size = Math.abs(change)
  const amount = size >= 10 ? `${Math.round(size + 1)}-fold` : `by ${Math.round(size * 100)} %`
  return `${change > 0 ? 'rising' : 'falling'} ${amount}`
}

/**
 * Statistics of every row. Buckets at its end that are not complete count in all but the trend; of series whose values
 * accumulate, as counts do, they count in what can only grow: the highest value and the total.
 * @param accumulate whether values of an unknown aggregate accumulate
 */
export function frameStats(frame: Frame, complete: (time: number) => boolean, accumulate = true): Map<string, Stats> {
  const length = frame.times.findLastIndex((time) => complete(time)) + 1
  const times = frame.times.slice(0, length)
  const stats = new Map<string, Stats>()
  for (const { series, values } of frame.rows) {
    const all = statsOf(frame.times, values)
    if (!all) continue
    const whole = statsOf(times, values.slice(0, length))
    const { max, maxAt, total } = all
    if (series.accumulates ?? accumulate) stats.set(series.id, { ...(whole ?? all), max, maxAt, total })
    else stats.set(series.id, { ...all, change: whole?.change ?? null })
  }
  return stats
}
