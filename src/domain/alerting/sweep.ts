/** Thresholds against the number of firings, to choose one that a small change of the values does not upset. */
import { compact, countFirings, type CompactWindows } from './compactWindows.ts'
import type { AlertRule, WindowValues } from './evaluateWindow.ts'

interface SweepPoint {
  threshold: number
  firings: number
}

/** Thresholds next to each other with the same number of firings. */
export interface FlatRegion {
  from: number
  to: number
  firings: number
  /** A round threshold near the middle. */
  suggested: number
}

export interface Sweep {
  /** Ascending thresholds. */
  points: SweepPoint[]
  /** A threshold between two points has the firings of the higher or of the lower one. */
  between: 'higher' | 'lower'
  /** The widest flat region with firings; null without one. */
  flat: FlatRegion | null
}

const maxPoints = 60
/** A region is worth suggesting from this ratio of its ends on. */
const minRatio = 1.25

const sweepable: readonly string[] = ['above', 'above_exclusive', 'below', 'below_or_equal']

/** Null for threshold types that are not one limit. */
export function sweep(rule: AlertRule, windows: readonly WindowValues[], grouped: boolean): Sweep | null {
  if (!sweepable.includes(rule.thresholdType)) return null
  const compacted = compact(windows, grouped)
  const distinct = distinctValues(compacted)
  const points = candidates(distinct).map((at) => pointAt(rule, compacted, distinct[at] ?? 0))
  const between = isClosed(rule) ? 'higher' : 'lower'
  return { points, between, flat: flatRegion(rule, compacted, distinct, points) }
}

/** Whether the threshold value itself violates: `above` and `below` include it. */
const isClosed = ({ thresholdType }: AlertRule): boolean => thresholdType === 'above' || thresholdType === 'below'

const pointAt = (rule: AlertRule, compacted: CompactWindows, threshold: number): SweepPoint => ({
  threshold,
  firings: countFirings({ ...rule, threshold }, compacted),
})

function distinctValues({ groups }: CompactWindows): number[] {
  const distinct = new Set<number>()
  for (const { values } of groups) for (const value of values) distinct.add(value)
  return [...distinct].toSorted((a, b) => a - b)
}

/** The places of all values, or of some of them. */
function candidates(distinct: readonly number[]): number[] {
  if (distinct.length <= maxPoints) return [...distinct.keys()]
  const low = distinct[0] ?? 0
  const high = distinct.at(-1) ?? 0
  // Half of them by rank, half by size: few values are far above the others, and thresholds are chosen there.
  const half = maxPoints / 2
  const shares = Array.from({ length: half }, (_, at) => at / (half - 1))
  const ranks = shares.map((share) => Math.round(share * (distinct.length - 1)))
  const sizes = shares.map((share) => placeOf(distinct, sizeAt(low, high, share)))
  return [...new Set([...ranks, ...sizes])].toSorted((a, b) => a - b)
}

/** Logarithmic above 0. */
function sizeAt(low: number, high: number, share: number): number {
  return low > 0 ? low * (high / low) ** share : low + (high - low) * share
}

/** The place of the first value that is not lower. */
function placeOf(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

function flatRegion(
  rule: AlertRule,
  compacted: CompactWindows,
  distinct: readonly number[],
  points: readonly SweepPoint[],
): FlatRegion | null {
  const regions: (Ends & { firings: number; width: number })[] = []
  for (let start = 0; start < points.length;) {
    const { firings = 0, threshold: first = 0 } = points[start] ?? {}
    let end = start
    while (points[end + 1]?.firings === firings) end++
    const ends = endsOf(rule, distinct, first, points[end]?.threshold ?? first)
    const width = widthOf(ends)
    if (firings > 0 && width >= Math.log(minRatio)) regions.push({ ...ends, firings, width })
    start = end + 1
  }
  const sorted = regions.toSorted((a, b) => b.width - a.width)
  const best = sorted.find(({ from, to, firings }) =>
    inside(distinct, from, to).every((threshold) => pointAt(rule, compacted, threshold).firings === firings),
  )
  if (!best) return null
  const { from, to, firings } = best
  const suggested = roundBetween(best)
  return pointAt(rule, compacted, suggested).firings === firings ? { from, to, firings, suggested } : null
}

interface Ends {
  from: number
  to: number
}

/** The thresholds with which the same values violate: they begin after the value before, or end before the one after. */
function endsOf(rule: AlertRule, distinct: readonly number[], first: number, last: number): Ends {
  const unit = distinct.every(Number.isInteger) ? 1 : 0
  if (isClosed(rule)) {
    const before = distinct[placeOf(distinct, first) - 1]
    return { from: before === undefined ? first : before + unit, to: last }
  }
  const after = distinct[placeOf(distinct, last) + 1]
  return { from: first, to: after === undefined ? last : after - unit }
}

/** Values inside of a region that are no points of the sweep, or some of them. */
function inside(distinct: readonly number[], from: number, to: number): number[] {
  const values = distinct.filter((value) => value > from && value < to)
  const step = Math.ceil(values.length / maxPoints)
  return values.filter((_, at) => at % step === 0)
}

function widthOf({ from, to }: Ends): number {
  if (from > 0) return Math.log(to / from)
  return to < 0 ? Math.log(from / to) : 0
}

/** A threshold near the middle with as few digits as possible. */
function roundBetween({ from, to }: Ends): number {
  const middle = from > 0 ? Math.sqrt(from * to) : (from + to) / 2
  const margin = (to - from) / 8
  for (let digits = 1; digits <= 6; digits++) {
    const rounded = Number(middle.toPrecision(digits))
    if (rounded >= from + margin && rounded <= to - margin) return rounded
  }
  return middle
}
