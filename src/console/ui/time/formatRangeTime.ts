/** Times of ranges and charts as text. */
import { clockTime, timeOfClock, type Zone } from '#domain/time/zone.ts'
import {
  formatClock,
  formatDate,
  formatDay,
  formatIsoDay,
  formatMoment,
  offsetText,
  type Precision,
  type Time,
} from './formatTime.ts'

const dayLength = 86_400_000
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** `Mon 16 Nov`. */
export function formatWeekday(time: Time, zone: Zone = 'local'): string {
  const day = new Date(formatIsoDay(time, zone)).getUTCDay()
  return Number.isNaN(day) ? '' : `${weekdays[day]} ${formatDay(time, zone)}`
}

/**
 * `2026-11-18 10:00`, with seconds and milliseconds only where there are any, and with the offset where the clock shows the
 * time twice (`2026-10-25 02:30+01:00`). `readRange` reads it back.
 */
export function formatInstant(time: number, zone: Zone): string {
  const precision = time % 1000 ? 'millisecond' : time % 60_000 ? 'second' : 'minute'
  const isSecond = timeOfClock(clockTime(time, zone), zone) !== time
  return `${formatIsoDay(time, zone)} ${formatClock(time, zone, precision)}${isSecond ? offsetText(time, zone) : ''}`
}

/** A time of a range of this length, milliseconds: `19:05:30` of minutes, `19:05` of hours, `16 Nov 19:05` of days. */
export function formatWithin(time: number, length: number, zone: Zone, precision = precisionOf(length)): string {
  return length >= dayLength ? formatMoment(time, zone) : formatClock(time, zone, precision)
}

const precisionOf = (length: number): Precision => (length < 120_000 ? 'second' : 'minute')

/** `10:05:30`, `10:05`, `18 Nov`, `Nov`, `2026`: the coarsest part of the time that is new at this tick. */
export function formatTimeTick(time: number, zone: Zone): string {
  if (time % 1000) return formatClock(time, zone, 'millisecond').slice(6)
  if (time % 60_000) return formatClock(time, zone, 'second')
  const clock = formatClock(time, zone)
  if (clock !== '00:00') return clock
  const [day, month = '', year = ''] = formatDate(time, zone).split(' ')
  if (day !== '1') return `${day} ${month}`
  return month === 'Jan' ? year : month
}

/** A bucket's start as precise as its length needs: `Fri 20 Nov 2026, 10:05`. */
export function formatBucket(time: number, bucketMs: number, zone: Zone): string {
  const clock = formatClock(time, zone, bucketMs < 60_000 ? 'second' : 'minute')
  return `${formatWeekday(time, zone)} ${formatIsoDay(time, zone).slice(0, 4)}, ${clock}`
}
