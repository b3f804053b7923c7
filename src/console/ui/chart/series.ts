/** What a chart draws. Domain-free: times are epoch milliseconds, `null` is a bucket without a value. */
import type { Unit } from './units.ts'

export type Point = readonly [time: number, value: number | null]

export interface Series {
  /** Stable across refreshes: colour and legend choices hang on it. */
  id: string
  label: string
  unit?: Unit
  points: readonly Point[]
  /** Drawn faint and dashed, such as the same series one period earlier. */
  ghost?: boolean
}

/** Several series over one list of times. */
export interface Frame {
  times: readonly number[]
  rows: readonly FrameRow[]
}

export interface FrameRow {
  series: Series
  values: readonly (number | null)[]
}

/** How a bucket without a value is drawn: as a gap, or as zero where nothing counted means none. */
export type Missing = 'gap' | 'zero'

/** Puts series over the union of their times, which come out ascending. A time that a series lacks is missing. */
export function frameOf(series: readonly Series[], missing: Missing = 'gap'): Frame {
  const nothing = missing === 'zero' ? 0 : null
  const [first] = series
  if (first && series.every((one) => sameTimes(one.points, first.points))) {
    const rows = series.map((one) => ({ series: one, values: one.points.map(([, value]) => value ?? nothing) }))
    return { times: first.points.map(([time]) => time), rows }
  }
  const times = [...new Set(series.flatMap((one) => one.points.map(([time]) => time)))].toSorted((a, b) => a - b)
  const at = new Map(times.map((time, index) => [time, index]))
  const rows = series.map((one) => {
    const values = Array.from<number | null>({ length: times.length }).fill(nothing)
    for (const [time, value] of one.points) {
      const index = at.get(time)
      if (index !== undefined) values[index] = value ?? nothing
    }
    return { series: one, values }
  })
  return { times, rows }
}

/** Whether both lie on the same ascending times, which is how an answer with all its buckets arrives. */
function sameTimes(a: readonly Point[], b: readonly Point[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) {
    const time = a[index]![0]
    if (time !== b[index]![0] || (index > 0 && time <= a[index - 1]![0])) return false
  }
  return true
}

/** Index of the time that lies nearest; -1 for no times. `times` ascend. */
export function nearestIndex(times: readonly number[], time: number): number {
  if (times.length === 0) return -1
  const after = firstAtOrAfter(times, time)
  const before = Math.max(0, after - 1)
  if (after === times.length) return before
  return time - times[before]! <= times[after]! - time ? before : after
}

/** Index of the bucket that holds the time: the last that starts at or before it, or the first. */
export function bucketIndex(times: readonly number[], time: number): number {
  if (times.length === 0) return -1
  const after = firstAtOrAfter(times, time)
  return times[after] === time ? after : Math.max(0, after - 1)
}

function firstAtOrAfter(times: readonly number[], time: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low
}
