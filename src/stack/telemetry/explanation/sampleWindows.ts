/** Which parts of a range are read of a side that has more rows than are compared. */
import { bisectRight } from 'd3-array'
import type { Span } from '#domain/time/span.ts'

/** A part of the range, [from, to) in milliseconds, and how many of its rows are read. */
export interface Window extends Span {
  rows: number
}

/** Windows of a sampled side. Each begins where as many rows are before it as between any two. */
const sampledWindows = 32

/**
 * All of the range, or windows with about as many rows each, spread over its rows and not over its time: a busy hour counts for what it
 * has. Rows are taken to be spread evenly within a bucket; a window with more rows than that is cut off.
 * @param counts rows by the start of their bucket
 * @param most rows that are read
 */
export function sampleWindows(
  counts: ReadonlyMap<number, number>,
  { from, to }: Span,
  bucketMs: number,
  most: number,
): Window[] {
  const buckets = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  if (total <= most) return [{ from, to, rows: most }]
  const rows = Math.ceil(most / sampledWindows)
  const timeOf = timeByRow(buckets, bucketMs)
  const windows: Window[] = []
  for (let at = 0; at < sampledWindows; at++) {
    const first = Math.floor((at * total) / sampledWindows)
    // Rounded to milliseconds, windows may touch: a row is in one of them.
    const begin = Math.max(from, Math.floor(timeOf(first)), windows.at(-1)?.to ?? from)
    const end = Math.min(to, Math.max(begin + 1, Math.ceil(timeOf(first + rows))))
    if (begin < end) windows.push({ from: begin, to: end, rows })
  }
  return windows
}

/** The time at which so many rows are before. Asked for in any order. */
function timeByRow(buckets: readonly [start: number, count: number][], bucketMs: number): (row: number) => number {
  const before = buckets.map(() => 0)
  for (let at = 1; at < buckets.length; at++) before[at] = (before[at - 1] ?? 0) + (buckets[at - 1]?.[1] ?? 0)
  return (row) => {
    const at = Math.max(0, bisectRight(before, row) - 1)
    const [start, count] = buckets[at] ?? [0, 1]
    return start + Math.min(1, (row - (before[at] ?? 0)) / count) * bucketMs
  }
}
