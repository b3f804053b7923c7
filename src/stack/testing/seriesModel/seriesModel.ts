/** Expected chart series, computed from the rows in the plainest way: no SQL, and one row after the other. */
import { group as groupRows } from 'd3-array'
import type { AggFn } from '#contract/stack/charts.ts'

export interface Point {
  series: string
  group: string | null
  /** Seconds. Points of one time series within a second are in the order of `nanos`. */
  time: number
  nanos: number
  start: number
  delta: boolean
  /** Counters only rise; a histogram always does. */
  monotonic: boolean
  value: number
  /** The sum of a histogram. */
  sum: number
  /** Counts by the bounds of a bucket, `lower,upper`. */
  cells: ReadonlyMap<string, number>
}

interface Range {
  from: number
  to: number
  step: number
  /** The range is one bucket. */
  whole?: boolean
}

/** A value for each bucket and group, by `bucket group`. */
export type Result = Map<string, number | null>

export const keyOf = (bucket: number, group: string | null): string => JSON.stringify([bucket, group])

/** An aggregate of numbers; those that are not finite are left out. */
export function aggregate(aggFn: AggFn, all: readonly number[], level = 0.5): number | null {
  if (aggFn === 'count') return all.length
  const values = all.filter((value) => Number.isFinite(value))
  if (aggFn === 'count_distinct') return new Set(values).size
  if (values.length === 0) return null
  const total = values.reduce((sum, value) => sum + value, 0)
  const sorted = values.toSorted((a, b) => a - b)
  const rank = level * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0]
  if (aggFn === 'avg') return total / values.length
  if (aggFn === 'min') return sorted[0] ?? null
  if (aggFn === 'max') return sorted.at(-1) ?? null
  if (aggFn === 'quantile') return low + (high - low) * (rank - Math.floor(rank))
  return aggFn === 'last_value' ? (values.at(-1) ?? null) : total
}

/** The increase of each point, as the point to compare it to: null if nothing says how much of it is new. */
function grown(points: readonly Point[], looksBack: number): Map<Point, Point | 'all' | null> {
  const found = new Map<Point, Point | 'all' | null>()
  const bySeries = groupRows(points, ({ series }) => series)
  for (const own of bySeries.values()) {
    const ordered = own.toSorted(byTime)
    const read = ordered.filter(({ time }) => time >= looksBack)
    for (const [at, point] of read.entries()) {
      const before = read[at - 1]
      const known = point.start > 0 && isBefore(point.start, point)
      const isFirst = !ordered.some(({ time }) => time < looksBack && time >= point.start)
      if (point.delta) found.set(point, 'all')
      else if (!before) found.set(point, known && isFirst ? 'all' : null)
      else if (known && point.start > before.start && !isBefore(point.start, before)) found.set(point, 'all')
      else found.set(point, point.monotonic && fell(point, before) ? 'all' : before)
    }
  }
  return found
}

const isBefore = (start: number, { time, nanos }: Point): boolean => start < time || (start === time && nanos > 0)

function fell(point: Point, before: Point): boolean {
  if (point.value < before.value) return true
  // Buckets say so only where the start does not.
  return (
    point.start === 0 &&
    before.start === 0 &&
    [...before.cells].some(([cell, count]) => (point.cells.get(cell) ?? 0) < count)
  )
}

const byTime = (a: Point, b: Point): number =>
  a.time - b.time || a.nanos - b.nanos || a.start - b.start || a.value - b.value

const bucketOf = (time: number, { step, whole }: Range) => (whole ? 0 : Math.floor(time / step) * step)

/** Sums: what was added, or the last value of one that may fall. */
export function sumSeries(points: readonly Point[], aggFn: AggFn, range: Range, level?: number): Result {
  const finite = points.filter(({ value }) => Number.isFinite(value))
  const additions = grown(finite, lookBack(range))
  const bySeries = new Map<string, { key: string; value: number; time: number }>()
  for (const point of finite.toSorted(byTime)) {
    if (point.time < range.from || point.time > range.to) continue
    const key = keyOf(bucketOf(point.time, range), point.group)
    const id = JSON.stringify([key, point.series, point.delta])
    const from = additions.get(point) ?? null
    const added = from === null ? 0 : from === 'all' ? point.value : point.value - from.value
    const known = bySeries.get(id) ?? { key, value: 0, time: 0 }
    const isLevel = !point.delta && !point.monotonic && aggFn !== 'increase'
    const growth = point.monotonic || (point.delta && aggFn !== 'increase') ? added : Math.max(0, added)
    bySeries.set(id, { key, value: isLevel ? point.value : known.value + growth, time: point.time })
  }
  const result: Result = new Map()
  for (const [key, values] of groupRows([...bySeries.values()], ({ key }) => key)) {
    const numbers = values.toSorted((a, b) => a.time - b.time).map(({ value }) => value)
    result.set(key, aggregate(aggFn === 'increase' ? 'sum' : aggFn, numbers, level))
  }
  return result
}

/** Gauges: the last value of each time series. */
export function gaugeSeries(points: readonly Point[], aggFn: AggFn, range: Range, level?: number): Result {
  const latest = new Map<string, { key: string; point: Point }>()
  for (const point of points.filter(({ value }) => Number.isFinite(value)).toSorted(byTime)) {
    if (point.time < range.from || point.time > range.to) continue
    const key = keyOf(bucketOf(point.time, range), point.group)
    latest.set(JSON.stringify([key, point.series]), { key, point })
  }
  const result: Result = new Map()
  for (const [key, found] of groupRows([...latest.values()], ({ key }) => key)) {
    const ordered = found.map(({ point }) => point).toSorted(byTime)
    result.set(
      key,
      aggregate(
        aggFn,
        ordered.map(({ value }) => value),
        level,
      ),
    )
  }
  return result
}

function lookBack({ from, step }: Range): number {
  return from - Math.max(step, 300)
}

/** Histograms of either kind. */
export function histogramSeries(points: readonly Point[], aggFn: AggFn, range: Range, level = 0.5): Result {
  const used = aggFn === 'count' || aggFn === 'quantile' ? points : points.filter(({ sum }) => Number.isFinite(sum))
  const additions = grown(used, lookBack(range))
  const totals = new Map<string, { count: number; sum: number; cells: Map<string, number> }>()
  for (const point of used) {
    if (point.time < range.from || point.time > range.to) continue
    const key = keyOf(bucketOf(point.time, range), point.group)
    const total = totals.get(key) ?? { count: 0, sum: 0, cells: new Map<string, number>() }
    totals.set(key, total)
    const from = additions.get(point) ?? null
    if (from === null) continue
    const before = from === 'all' ? { value: 0, sum: 0, cells: new Map<string, number>() } : from
    total.count += point.value - before.value
    total.sum += point.sum - before.sum
    for (const cell of new Set([...point.cells.keys(), ...before.cells.keys()])) {
      const added = (point.cells.get(cell) ?? 0) - (before.cells.get(cell) ?? 0)
      total.cells.set(cell, (total.cells.get(cell) ?? 0) + added)
    }
  }
  const result: Result = new Map()
  for (const [key, { count, sum, cells }] of totals) {
    if (aggFn === 'count') result.set(key, count)
    else if (aggFn === 'sum') result.set(key, sum)
    else if (aggFn === 'avg') result.set(key, count === 0 ? null : sum / count)
    else {
      const value = quantileOf(cells, level)
      if (value !== null) result.set(key, value)
    }
  }
  return result
}

function quantileOf(cells: ReadonlyMap<string, number>, level: number): number | null {
  const filled = [...cells]
    .map(([cell, count]) => ({ bounds: JSON.parse(`[${cell}]`) as [number, number], count })) // written as `lower,upper`
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.bounds[1] - b.bounds[1] || a.bounds[0] - b.bounds[0])
  const rank = level * filled.reduce((sum, { count }) => sum + count, 0)
  let running = 0
  for (const {
    bounds: [lower, upper],
    count,
  } of filled) {
    running += count
    if (running >= rank) return lower + (upper - lower) * (1 - (running - rank) / count)
  }
  return null
}
