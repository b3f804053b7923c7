/** Which parts of a range are read of a side that has more rows than are compared. */
import { bisectRight } from 'd3-array'
import type { Span } from '#domain/time/span.ts'

/** A part of the range, [from, to) in milliseconds, and the share of its rows that is read: 1 for all. */
export interface Window extends Span {
  share: number
}

/** Places of a sampled side. As many rows are between any two. */
const places = 32

/** Buckets with rows, and how many rows are before each. */
interface Counted {
  buckets: readonly (readonly [start: number, count: number])[]
  before: readonly number[]
}

/** Buckets from the first to the last, and how many of their rows are wanted. */
interface Chosen {
  first: number
  last: number
  wanted: number
}

/**
 * All of the range, or windows spread over its rows and not over its time: a busy hour counts for what it has. Windows consist of whole
 * buckets, whose rows are known, so that a burst within a bucket and times in whole seconds are read as they are.
 * @param counts rows by the start of their bucket
 * @param most rows that are read, more or less
 */
export function sampleWindows(
  counts: ReadonlyMap<number, number>,
  { from, to }: Span,
  bucketMs: number,
  most: number,
): Window[] {
  const { total, ...counted } = countedOf(counts)
  if (total <= most) return [{ from, to, share: 1 }]
  const chosen: Chosen[] = []
  for (let place = 0; place < places; place++) {
    choose(chosen, counted, Math.floor((place * total) / places), most / places)
  }
  return chosen.map(({ first, last, wanted }) => ({
    from: counted.buckets[first]?.[0] ?? from,
    to: Math.min(to, (counted.buckets[last]?.[0] ?? from) + bucketMs),
    share: Math.min(1, wanted / rowsOf(counted, first, last)),
  }))
}

function countedOf(counts: ReadonlyMap<number, number>): Counted & { total: number } {
  const buckets = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b)
  const before: number[] = []
  let total = 0
  for (const [, count] of buckets) {
    before.push(total)
    total += count
  }
  return { buckets, before, total }
}

/** Wants rows from the bucket that has the given row, and from those after it where it has too few. */
function choose(chosen: Chosen[], counted: Counted, row: number, rows: number): void {
  const first = Math.max(0, bisectRight(counted.before, row) - 1)
  const latest = chosen.at(-1)
  const window = latest && first <= latest.last ? latest : { first, last: first, wanted: 0 }
  if (window !== latest) chosen.push(window)
  window.wanted += rows
  while (rowsOf(counted, window.first, window.last) < window.wanted && window.last < counted.buckets.length - 1) {
    window.last++
  }
}

function rowsOf({ buckets, before }: Counted, first: number, last: number): number {
  return (before[last] ?? 0) + (buckets[last]?.[1] ?? 0) - (before[first] ?? 0)
}
