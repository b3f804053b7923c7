/** Times on the page of an alert: short, in the browser's time zone. */

const months = new Intl.DateTimeFormat('en-US', { month: 'short' })
const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0)
const isSameDay = (a: number, b: number) => startOfDay(a) === startOfDay(b)

function clockTime(time: number): string {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** "16 Nov". */
const dayOf = (time: number) => `${new Date(time).getDate()} ${months.format(time)}`

/** "19:05" today, "16 Nov 19:05" on another day. */
export function formatMoment(time: number, now: number): string {
  return isSameDay(time, now) ? clockTime(time) : `${dayOf(time)} ${clockTime(time)}`
}

/** "19:23 to 19:24", with the day if it is not today. */
export function formatWindow(start: number, end: number, now: number): string {
  return `${formatMoment(start, now)} to ${isSameDay(start, end) ? clockTime(end) : formatMoment(end, now)}`
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
