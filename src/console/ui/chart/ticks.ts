/** Ticks of the axes: round values of any unit, and round clock times of any zone. */
import { range, ticks } from 'd3-array'
import { timeTicks, utcTicks } from 'd3-time'
import { tickBase } from '#domain/charts/axisUnits.ts'
import type { Unit } from '#domain/charts/units.ts'
import { clockTime, timeOfClock, type Zone } from '#domain/time/zone.ts'

/**
 * Round values that cover the extent; the first and last are the axis' domain. Always at least two.
 * `whole` for values that are counts: half a record is no tick.
 * An extent that has no round values which can be told apart, such as two neighbouring numbers, has its ends.
 */
export function valueTicks(
  extent: readonly [number, number],
  count: number,
  unit: Unit = 'number',
  whole = false,
): number[] {
  const [low, high] = extent[0] === extent[1] ? widenRange(extent[0]) : extent
  if (!hasRoundValues(low, high)) return [low, high]
  const base = tickBase(Math.max(Math.abs(low), Math.abs(high)), unit)
  const inside = ticks(low / base, high / base, Math.max(2, count))
  const even = inside.length > 1 ? inside[1]! - inside[0]! : (high - low) / base
  const step = whole ? Math.max(1, Math.round(even)) : even
  const first = Math.floor(round(low / base / step)) * step
  const last = Math.ceil(round(high / base / step)) * step
  const steps = Math.round((last - first) / step)
  return Array.from({ length: steps + 1 }, (_, index) => round(first + index * step) * base)
}

/** Whether the numbers between the ends have digits enough to be rounded, in the 12 that `round` keeps. */
function hasRoundValues(low: number, high: number): boolean {
  const width = high - low
  const size = Math.max(Math.abs(low), Math.abs(high))
  return width > minWidth && width <= Number.MAX_VALUE / 10 && width / size > 1e-9
}

/** Below it, numbers lose their digits, and powers of ten of their steps are zero. */
const minWidth = 1e-290

/** The most powers of ten that are labelled. */
const maxPowers = 8

/** Powers of ten that cover positive values, with twos and fives between few of them. The first and last are the axis' domain. */
export function logTicks([low, high]: readonly [number, number]): number[] {
  const first = Math.floor(round(Math.log10(low)))
  const last = Math.max(first + 1, Math.ceil(round(Math.log10(high))))
  const powers = range(first, last, Math.ceil((last - first) / maxPowers))
  const multiples = last - first <= 2 ? [1, 2, 5] : [1]
  const inside = powers.flatMap((power) => multiples.map((multiple) => `${multiple}e${power}`))
  return [...new Set([...inside, `1e${last}`].map(positive))]
}

/** The number, or the nearest one that can be drawn on a logarithmic axis: neither zero nor infinite. */
const positive = (digits: string): number => Math.min(Math.max(Number(digits), Number.MIN_VALUE), Number.MAX_VALUE)

/** Takes away what binary fractions add: 0.30000000000000004. */
const round = (value: number): number => Number(value.toPrecision(12))

function widenRange(value: number): [number, number] {
  if (value === 0) return [0, 1]
  return value > 0 ? [0, value] : [value, 0]
}

/** Epoch milliseconds of round clock times between the ends, about `count` of them. */
export function clockTicks(from: number, to: number, count: number, zone: Zone): number[] {
  const choose = zone === 'local' ? timeTicks : utcTicks
  const [start, end] = zone === 'local' ? [from, to] : [clockTime(from, zone), clockTime(to, zone)]
  const ticks = choose(new Date(start), new Date(end), Math.max(1, count)).map((date) => date.getTime())
  if (zone === 'local') return ticks
  // Two clock times that a change of clocks skips are the same time.
  return [...new Set(ticks.map((tick) => timeOfClock(tick, zone)))].filter((tick) => tick >= from && tick <= to)
}
