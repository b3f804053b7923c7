/** What a chart draws. Domain-free: times are epoch milliseconds, `null` is a bucket without a value. */
import { group } from 'd3-array'
import type { Unit } from './units.ts'

export type Point = readonly [time: number, value: number | null]

export interface Series {
  /** Stable across refreshes: colour and legend choices hang on it. */
  id: string
  label: string
  /** What its colour is derived from, so that it is the same in other charts; the label where absent. */
  colorName?: string
  unit?: Unit
  points: readonly Point[]
  /** Drawn faint and dashed, such as the same series one period earlier. */
  ghost?: boolean
  /** Drawn as a dashed line over the others, stacked among its like: the same series of another deployment. */
  overlay?: boolean
  /** Name of its group in the legend. Groups are told apart where there are several. */
  group?: string
  /** Id of the series whose colour it takes, where that one is there. */
  like?: string
}

/** Whether a series is there to compare with: such a one is a line, and never counts into a total. */
export const isComparison = ({ ghost, overlay }: Series): boolean => ghost === true || overlay === true

/** Rows under the name of their group, groups in the order in which they first come. */
export function groupRows<Row extends { series: Series }>(rows: readonly Row[]): { name: string; rows: Row[] }[] {
  return [...group(rows, ({ series }) => series.group ?? '')].map(([name, rows]) => ({ name, rows }))
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

/** The buckets that a range holds, those of the future apart. */
export interface Grid {
  from: number
  to: number
  /** Length of a bucket, milliseconds. */
  bucketMs: number
}

/**
 * Puts series over the union of their times, which come out ascending. A time that a series lacks is missing. With a grid,
 * buckets that no series has are there too: answers leave them out, and a line must not bridge them.
 */
export function frameOf(series: readonly Series[], missing: Missing = 'gap', grid?: Grid): Frame {
  const nothing = missing === 'zero' ? 0 : null
  const times = timesOf(series, grid)
  const at = new Map(times.map((time, index) => [time, index]))
  const rows = series.map((one) => {
    if (sameTimes(one.points, times)) return { series: one, values: one.points.map(([, value]) => value ?? nothing) }
    const values = Array.from<number | null>({ length: times.length }).fill(nothing)
    for (const [time, value] of one.points) {
      const index = at.get(time)
      if (index !== undefined) values[index] = value ?? nothing
    }
    return { series: one, values }
  })
  return { times, rows }
}

/** More empty buckets than this are not worth their memory. */
const maxGrid = 20_000

function timesOf(series: readonly Series[], grid: Grid | undefined): number[] {
  const longest = series.reduce<readonly Point[]>((a, { points }) => (points.length > a.length ? points : a), [])
  const common = longest.map(([time]) => time)
  const times = new Set(common)
  for (const { points } of series) if (!sameTimes(points, common)) for (const [time] of points) times.add(time)
  const [some] = times
  if (grid && some !== undefined && (grid.to - grid.from) / grid.bucketMs <= maxGrid) {
    // Where buckets begin is for the deployment to say: any of them tells.
    const first = grid.from - ((((grid.from - some) % grid.bucketMs) + grid.bucketMs) % grid.bucketMs)
    for (let time = first; time < grid.to; time += grid.bucketMs) times.add(time)
  }
  return [...times].toSorted((a, b) => a - b)
}

/** Whether the points lie on exactly these times. */
function sameTimes(points: readonly Point[], times: readonly number[]): boolean {
  return points.length === times.length && points.every(([time], index) => time === times[index])
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
