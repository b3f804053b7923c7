/**
 * Moments as text, by the clock of the page's zone where the page has one, and otherwise of the browser. Days and months
 * have English names, as all texts of the console. An invalid time is ''.
 */
import { clockTime, offsetAt, type Zone } from '#domain/time/zone.ts'

/** Epoch milliseconds, or an ISO text. */
export type Time = number | string
export type Precision = 'minute' | 'second' | 'millisecond'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const clockEnd: Record<Precision, number> = { minute: 16, second: 19, millisecond: 23 }

/** A date whose UTC fields are those of the clock of the zone. */
const dateIn = (time: Time, zone: Zone): Date => new Date(clockTime(new Date(time).getTime(), zone))

/** Formats what is in an ISO text by the clock of the zone. */
function formatted(time: Time, zone: Zone, format: (iso: string) => string): string {
  const date = dateIn(time, zone)
  return Number.isNaN(date.getTime()) ? '' : format(date.toISOString())
}

const dayOf = (iso: string) => `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]}`
const dateOf = (iso: string) => `${dayOf(iso)} ${iso.slice(0, 4)}`
const clockOf = (iso: string, precision: Precision) => iso.slice(11, clockEnd[precision])

/** `19:05`, `19:05:30`, `19:05:30.123`. */
export function formatClock(time: Time, zone: Zone = 'local', precision: Precision = 'minute'): string {
  return formatted(time, zone, (iso) => clockOf(iso, precision))
}

/** `16 Nov`. */
export function formatDay(time: Time, zone: Zone = 'local'): string {
  return formatted(time, zone, dayOf)
}

/** `16 Nov 2026`. */
export function formatDate(time: Time, zone: Zone = 'local'): string {
  return formatted(time, zone, dateOf)
}

/** `16 Nov 19:05`, for times whose year is clear. */
export function formatMoment(time: Time, zone: Zone = 'local', precision: Precision = 'minute'): string {
  return formatted(time, zone, (iso) => `${dayOf(iso)} ${clockOf(iso, precision)}`)
}

/** `16 Nov 2026 19:05`. */
export function formatDatedMoment(time: Time, zone: Zone = 'local', precision: Precision = 'minute'): string {
  return formatted(time, zone, (iso) => `${dateOf(iso)} ${clockOf(iso, precision)}`)
}

/** "tomorrow" is a day that everybody knows, while "next month" may be 30 or 59 days away. */
const named = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const counting = new Intl.RelativeTimeFormat('en', { style: 'short' })
/** Units are counted from so many of them: below, the smaller one says more. */
const least = { year: 2, month: 2, day: 1, hour: 1, minute: 1 }

const relativeUnits = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago, or until: `3 min ago`, `yesterday`, `in 45 days`. Milliseconds since the epoch. */
export function formatTimeAgo(time: number, now: number): string {
  const unit = relativeUnits.find(([name, length]) => Math.abs(time - now) >= length * least[name])
  if (!unit) return named.format(0, 'second')
  const [name, length] = unit
  const text = (name === 'day' ? named : counting).format(Math.round((time - now) / length), name)
  return text.replace('.', '')
}

/** `2026-11-16`. */
export function formatIsoDay(time: Time, zone: Zone = 'local'): string {
  return formatted(time, zone, (iso) => iso.slice(0, 10))
}

/** The offset of the zone at a time: `+01:00`. */
export function offsetText(time: number, zone: Zone): string {
  const minutes = Math.round(offsetAt(time, zone) / 60_000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

/** The suffix of times that are not by the clock of the browser: ` UTC`, ` Tokyo`. */
export function zoneSuffix(zone: Zone): string {
  if (zone === 'local') return ''
  return ` ${zone === 'utc' ? 'UTC' : (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')}`
}
