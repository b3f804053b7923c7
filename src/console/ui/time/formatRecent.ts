/** Times as text that is the shorter, the nearer they are to now, in the time zone of the browser, or the given one. */
import {
  formatClock,
  formatDate,
  formatDatedMoment,
  formatDay,
  formatIsoDay,
  formatMoment,
  type Time,
} from './formatTime.ts'
import type { Zone } from '#domain/time/zone.ts'

/** `19:05` today, `16 Nov 19:05` on another day, `16 Nov 2025 19:05` in another year. */
export function formatRecent(time: Time, now: number, zone: Zone = 'local'): string {
  if (haveSamePrefix(time, now, 10, zone)) return formatClock(time, zone)
  return haveSamePrefix(time, now, 4, zone) ? formatMoment(time, zone) : formatDatedMoment(time, zone)
}

/** `19:05` today, `16 Nov` on another day, `16 Nov 2025` in another year. */
export function formatRecentDay(time: Time, now: number = Date.now()): string {
  if (haveSamePrefix(time, now, 10)) return formatClock(time)
  return haveSamePrefix(time, now, 4) ? formatDay(time) : formatDate(time)
}

/** `19:23 to 19:24`, with the day if it is not today. */
export function formatRecentSpan(from: number, to: number, now: number): string {
  return `${formatRecent(from, now)} to ${haveSamePrefix(from, to, 10) ? formatClock(to) : formatRecent(to, now)}`
}

/** Whether two times begin alike: with the same year, or with the same day. */
function haveSamePrefix(a: Time, b: Time, characters: 4 | 10, zone: Zone = 'local'): boolean {
  return formatIsoDay(a, zone).slice(0, characters) === formatIsoDay(b, zone).slice(0, characters)
}
