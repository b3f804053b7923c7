/** Ticks of the axes, which recharts has neither for units nor for time zones: round values and round clock times. */
import { ticks } from 'd3-array'
import { timeTicks, utcTicks } from 'd3-time'
import { inZone, type Zone } from '../time/zone.ts'
import { tickBase, type Unit } from './units.ts'

/**
 * Round values that cover the extent; the first and last are the axis' domain. Always at least two.
 * `whole` for values that are counts: half a record is no tick.
 */
export function valueTicks(
  extent: readonly [number, number],
  count: number,
  unit: Unit = 'number',
  whole = false,
): number[] {
  const [low, high] = extent[0] === extent[1] ? widened(extent[0]) : extent
  const base = tickBase(Math.max(Math.abs(low), Math.abs(high)), unit)
  const inside = ticks(low / base, high / base, Math.max(2, count))
  const even = inside.length > 1 ? inside[1]! - inside[0]! : (high - low) / base
  const step = whole ? Math.max(1, Math.round(even)) : even
  const first = Math.floor(round(low / base / step)) * step
  const last = Math.ceil(round(high / base / step)) * step
  const steps = Math.round((last - first) / step)
  return Array.from({ length: steps + 1 }, (_, index) => round(first + index * step) * base)
}

/** Takes away what binary fractions add: 0.30000000000000004. */
const round = (value: number): number => Number(value.toPrecision(12))

function widened(value: number): [number, number] {
  if (value === 0) return [0, 1]
  return value > 0 ? [0, value] : [value, 0]
}

/** Epoch milliseconds of round clock times between the ends, about `count` of them. */
export function clockTicks(from: number, to: number, count: number, zone: Zone): number[] {
  const choose = zone === 'utc' ? utcTicks : timeTicks
  return choose(new Date(from), new Date(to), Math.max(1, count)).map((date) => date.getTime())
}

/** `10:05:30`, `10:05`, `18 Nov`, `Nov`, `2026`: the coarsest part of the time that is new at this tick. */
export function formatTimeTick(time: number, zone: Zone): string {
  const date = inZone(time, zone)
  if (time % 1000) return date.format('ss.SSS')
  if (date.second()) return date.format('HH:mm:ss')
  if (date.hour() || date.minute()) return date.format('HH:mm')
  if (date.date() > 1) return date.format('D MMM')
  return date.month() ? date.format('MMM') : date.format('YYYY')
}

/** A bucket's start as precise as its length needs: `Fri 20 Nov 2026, 10:05`. */
export function formatBucket(time: number, bucketMs: number, zone: Zone): string {
  const format = bucketMs < 60_000 ? 'ddd D MMM YYYY, HH:mm:ss' : 'ddd D MMM YYYY, HH:mm'
  return inZone(time, zone).format(format)
}

const lengths: [number, string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
]

/** `30 seconds`, `1 hour`, `7 days`. */
export function formatDuration(ms: number): string {
  const [size, word] = lengths.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'millisecond']
  const amount = ms / size
  return `${amount} ${word}${amount === 1 ? '' : 's'}`
}
