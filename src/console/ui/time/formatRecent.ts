/** Times as text that is the shorter, the nearer they are to now, in the time zone of the browser. */
import {
  formatClock,
  formatDate,
  formatDatedMoment,
  formatDay,
  formatIsoDay,
  formatMoment,
  type Time,
} from './formatTime.ts'

/** `19:05` today, `16 Nov 19:05` on another day, `16 Nov 2025 19:05` in another year. */
export function formatRecent(time: Time, now: number): string {
  if (isSame(time, now, 10)) return formatClock(time)
  return isSame(time, now, 4) ? formatMoment(time) : formatDatedMoment(time)
}

/** `19:05` today, `16 Nov` on another day, `16 Nov 2025` in another year. */
export function formatRecentDay(time: Time, now: number = Date.now()): string {
  if (isSame(time, now, 10)) return formatClock(time)
  return isSame(time, now, 4) ? formatDay(time) : formatDate(time)
}

/** `19:23 to 19:24`, with the day if it is not today. */
export function formatRecentSpan(from: number, to: number, now: number): string {
  return `${formatRecent(from, now)} to ${isSame(from, to, 10) ? formatClock(to) : formatRecent(to, now)}`
}

/** Whether two times begin alike: with the same year, or with the same day. */
function isSame(a: Time, b: Time, characters: 4 | 10): boolean {
  return formatIsoDay(a).slice(0, characters) === formatIsoDay(b).slice(0, characters)
}
