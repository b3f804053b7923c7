/** The data of a chart. Times are epoch milliseconds, `null` is a bucket without a value. */
import { group } from 'd3-array'
import { bucketEnd, bucketStart } from '#domain/time/localBuckets.ts'
import type { Unit } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'

export type Point = readonly [time: number, value: number | null]

export interface Series {
  /** Stable across refreshes: colour and legend selection depend on it. */
  id: string
  label: string
  /** Decides its colour, so that it is the same in other charts of the page; the label by default. */
  colorName?: string
  /** Place in the order in which colours are assigned, where that is not the order of the list. */
  rank?: number
  unit?: Unit
  points: readonly Point[]
  /** Whether values grow until their bucket is complete, as counts do; where it is not known, the chart decides. */
  accumulates?: boolean
  /** Drawn faint and dashed, such as the same series in the previous period. */
  ghost?: boolean
  /** Drawn as a dashed line over the others, stacked with other overlays: the same series of another deployment. */
  overlay?: boolean
  /** Name of its group in the legend, which shows groups where there are several. */
  group?: string
  /** How its label ends, to tell it from that of the series that it is compared with. */
  labelSuffix?: string
  /** Id of the series whose colour it has, where that series is shown. */
  like?: string
}

/** Whether a series is shown for comparison: it is drawn as a line and not part of totals. */
export const isComparison = ({ ghost, overlay }: Series): boolean => ghost === true || overlay === true

/** Rows by the name of their group, groups in order of appearance. */
export function groupRows<Row extends { series: Series }>(
  rows: readonly Row[],
  groupOf: (series: Series) => string = (series) => series.group ?? '',
): { name: string; rows: Row[] }[] {
  return [...group(rows, ({ series }) => groupOf(series))].map(([name, rows]) => ({ name, rows }))
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

/** How a bucket without a value is drawn: as a gap, or as zero where no rows mean a count of zero. */
export type Missing = 'gap' | 'zero'

/** The buckets of a range, without future ones. */
export interface Grid {
  from: number
  to: number
  /** Length of a bucket, milliseconds. */
  bucketMs: number
  /** The zone in which buckets of hours and days start, where the deployment knows it. */
  zone: Zone
}

/**
 * Aligns series on the union of their times, ascending. Where a series has no point, its value is missing. A grid adds the
 * buckets that no series has: answers leave them out, and a line must not connect across them.
 */
export function frameOf(series: readonly Series[], missing: Missing = 'gap', grid?: Grid): Frame {
  const empty = missing === 'zero' ? 0 : null
  const times = timesOf(series, grid)
  const at = new Map(times.map((time, index) => [time, index]))
  const rows = series.map((item) => {
    if (sameTimes(item.points, times)) return { series: item, values: item.points.map(([, value]) => value ?? empty) }
    const values = Array.from<number | null>({ length: times.length }).fill(empty)
    for (const [time, value] of item.points) {
      const index = at.get(time)
      if (index !== undefined) values[index] = value ?? empty
    }
    return { series: item, values }
  })
  return { times, rows }
}

/** Buckets of a grid at most: more empty ones are not worth their memory. */
const maxGrid = 20_000

function timesOf(series: readonly Series[], grid: Grid | undefined): number[] {
  const longest = series.reduce<readonly Point[]>((a, { points }) => (points.length > a.length ? points : a), [])
  const common = longest.map(([time]) => time)
  const times = new Set(common)
  for (const { points } of series) if (!sameTimes(points, common)) for (const [time] of points) times.add(time)
  if (grid && times.size > 0 && (grid.to - grid.from) / grid.bucketMs <= maxGrid) addBuckets(times, grid)
  return [...times].toSorted((a, b) => a - b)
}

/** Adds the buckets of a grid to times that are not empty. They show where the deployment lets buckets start. */
function addBuckets(times: Set<number>, { from, to, bucketMs, zone }: Grid): void {
  const [some = from] = times
  const isLocal = [...times].every((time) => bucketStart(time, bucketMs, zone) === time)
  const first = isLocal
    ? bucketStart(from, bucketMs, zone)
    : from - ((((from - some) % bucketMs) + bucketMs) % bucketMs)
  for (let time = first; time < to; time = isLocal ? bucketEnd(time, bucketMs, zone) : time + bucketMs) times.add(time)
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
