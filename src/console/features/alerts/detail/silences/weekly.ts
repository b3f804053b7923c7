/** Maintenance windows by the clock of the time zone that the page shows: what the form stores, and how it is written. */
import { readRecurrence, startsOf, type Recurrence } from '#domain/alerting/silence.ts'
import { clockTime, ianaName, isZone, type Zone } from '#domain/time/zone.ts'
import { formatClock, formatDay, formatMoment } from '#console/ui/time/formatTime.ts'

export const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

const minute = 60_000
const day = 1440 * minute
/** Over every change of a clock within a year. */
const year = 366 * day

export interface WeeklyForm {
  weekdays: readonly number[]
  /** `22:30` */
  start: string
  minutes: number | null
}

/** Days and start by the clock of the zone, which is stored with them. */
export function recurrenceOf({ weekdays, start, minutes }: WeeklyForm, zone: Zone) {
  const rest = { weekdays: weekdays.toSorted((a, b) => a - b), minutes: Number(minutes) }
  const timeZone = ianaName(zone)
  return timeZone === 'UTC' || !isZone(timeZone) ? { ...rest, startUtc: start } : { ...rest, start, timeZone }
}

/**
 * When the next window begins and ends, and what a change of the clocks before the end of the repetition does to it. Null while
 * the form is not complete.
 */
export function formatNextWindow(form: WeeklyForm, zone: Zone, now: number, until: number): string | null {
  const { weekdays, start, minutes } = form
  if (weekdays.length === 0 || !/^\d\d:\d\d$/.test(start) || !minutes) return null
  const recurrence = recurrenceOf(form, zone)
  const end = Math.min(until || Infinity, now + year)
  const starts = startsOf(recurrence, now, end)
  const next = starts[0]
  if (next === undefined) return 'No window begins before the repetition ends.'
  const windowEnd = next + minutes * minute
  const endText =
    formatDay(windowEnd, zone) === formatDay(next, zone) ? formatClock(windowEnd, zone) : formatMoment(windowEnd, zone)
  const span = `Next: ${weekdayOf(next, zone)} ${formatMoment(next, zone)} to ${endText}.`
  const skipped = starts.find((candidate) => formatClock(candidate, zone) !== start)
  if (skipped !== undefined)
    return `${span} On ${formatDay(skipped, zone)} the clock skips ${start}: the window begins at ${formatClock(skipped, zone)}.`
  const changed = starts.find((candidate) => offset(candidate, zone) !== offset(next, zone))
  return changed === undefined ? span : `${span} It begins at ${start} also after the clocks change.`
}

const offset = (time: number, zone: Zone) => clockTime(time, zone) - time
const weekdayOf = (time: number, zone: Zone) => weekdayNames[new Date(clockTime(time, zone)).getUTCDay()] ?? '?'

/**
 * "Mon, Tue 22:30 Europe/Berlin for 60 min, every week", by the clock of the given zone. A window that is stored by another
 * clock says so, and from when on it begins at another time here.
 */
export function formatRecurrence(stored: Partial<Recurrence>, zone: Zone, now: number, until = Infinity): string {
  const recurrence = readRecurrence(stored)
  const storedZone = recurrence.timeZone ?? 'utc'
  const time = recurrence.start ?? recurrence.startUtc ?? '?'
  const starts = startsOf(recurrence, now, Math.min(until, now + year))
  const [next] = starts
  const length = `for ${stored.minutes ?? '?'} min, every week`
  if (next === undefined || ianaName(zone) === ianaName(storedZone))
    return `${names(recurrence.weekdays)} ${time} ${ianaName(storedZone)} ${length}`
  const localStart = formatClock(next, zone)
  const days = recurrence.weekdays.map((weekday) => (weekday + daysAhead(next, zone, storedZone) + 7) % 7)
  const changed = starts.find((start) => formatClock(start, zone) !== localStart)
  const change =
    changed === undefined ? '' : `: from ${formatDay(changed, zone)} it begins at ${formatClock(changed, zone)}`
  return `${names(days)} ${localStart} ${ianaName(zone)} ${length} (stored as ${time} ${ianaName(storedZone)}${change})`
}

const names = (weekdays: readonly number[]) =>
  weekdays
    .toSorted((a, b) => a - b)
    .map((weekday) => weekdayNames[weekday] ?? '?')
    .join(', ')

/** By how many days the date of one zone is ahead of that of another: -1, 0 or 1. */
function daysAhead(time: number, zone: Zone, other: Zone): number {
  return Math.floor(clockTime(time, zone) / day) - Math.floor(clockTime(time, other) / day)
}
