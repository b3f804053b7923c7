/** Times on the page of an alert: short, in the browser's time zone. */
import { inZone } from '#console/ui/time/zone.ts'

/** "19:05" today, "16 Nov 19:05" on another day. */
export function formatMoment(time: number, now: number): string {
  const date = inZone(time, 'local')
  return date.isSame(inZone(now, 'local'), 'day') ? date.format('HH:mm') : date.format('D MMM HH:mm')
}

/** "19:23 to 19:24", with the day if it is not today. */
export function formatWindow(start: number, end: number, now: number): string {
  const until = inZone(end, 'local')
  const sameDay = inZone(start, 'local').isSame(until, 'day')
  return `${formatMoment(start, now)} to ${sameDay ? until.format('HH:mm') : formatMoment(end, now)}`
}

/** "19 min", "1 h 12 min", "3 d 2 h": the two largest units. */
export function formatLength(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000)
  if (minutes < 1) return `${Math.round(milliseconds / 1000)} s`
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const
  const first = parts.findIndex(([amount]) => amount > 0)
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}
