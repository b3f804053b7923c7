/** Silences: times in which an alert, or one group of it, sends nothing. Evaluation continues. */
import { clockTime, timeOfClock } from '../time/zone.ts'

/** A maintenance window that repeats every week: by the clock of a time zone, or in UTC. */
export interface Recurrence {
  /** The days on which it begins; 0 is Sunday. */
  weekdays: readonly number[]
  /** `22:30` by the clock of `timeZone`. */
  start?: string | undefined
  /** A name of the IANA database. */
  timeZone?: string | undefined
  /** `22:30`; of a window without a time zone. */
  startUtc?: string | undefined
  /** Elapsed time, at most a day. */
  minutes: number
}

export interface Silence {
  /** The group that is silenced; absent for the whole alert. */
  group?: string | null | undefined
  /** Epoch milliseconds. */
  until: number
  /** Only in these times, up to `until`. */
  recurring?: Recurrence | undefined
}

/** A silence with its start, to be compared with the past. */
export interface PastSilence extends Silence {
  /** When it was set, epoch milliseconds. `NaN` if that is not known: then it suppresses only what is sent now. */
  from: number
}

const minute = 60_000
const day = 1440 * minute

/** Whether the notifications of a group are suppressed at this time. */
export function isSilenced(silences: readonly Silence[], groupKey: string, now: number): boolean {
  return silences.some(
    ({ group, until, recurring }) =>
      now < until && (group == null || group === groupKey) && (!recurring || isInside(recurring, now)),
  )
}

/**
 * Whether a silence suppresses, or would have suppressed, what a group sent at a time of the past: a maintenance window in
 * its hours of earlier weeks too, any other silence only since it was set.
 */
export function wasSilenced(silences: readonly PastSilence[], groupKey: string, at: number): boolean {
  return isSilenced(
    silences.filter(({ from, recurring }) => recurring !== undefined || from <= at),
    groupKey,
    at,
  )
}

/** The silences that were in effect at a time of the past, and suppressed notifications then. */
export function silencesInEffect(silences: readonly PastSilence[], at: number): PastSilence[] {
  return silences.filter((silence) => silence.from <= at && isSilenced([silence], silence.group ?? '', at))
}

/** A window that began on one of the days before may last until today. */
function isInside(recurrence: Recurrence, now: number): boolean {
  return startsOf(recurrence, now - recurrence.minutes * minute + 1, now + 1).length > 0
}

/**
 * Start times in [from, to). If the clock skips the start (daylight saving), the window starts that much later; if the start
 * occurs twice, at the first.
 */
export function startsOf(recurrence: Recurrence, from: number, to: number): number[] {
  const { weekdays, start, startUtc, timeZone = 'utc' } = recurrence
  const [hour = 0, minuteOfHour = 0] = (start ?? startUtc ?? '00:00').split(':').map(Number)
  const starts: number[] = []
  // A day more on both sides, because a clock that changes moves a start.
  const last = clockTime(to, timeZone) + day
  for (let date = Math.floor(clockTime(from, timeZone) / day) * day - day; date < last; date += day) {
    if (!weekdays.includes(new Date(date).getUTCDay())) continue
    const time = timeOfClock(date + (hour * 60 + minuteOfHour) * minute, timeZone)
    if (time >= from && time < to) starts.push(time)
  }
  return starts
}

/** A recurrence as deployments return it, in which anything can be missing. */
export function readRecurrence({ weekdays = [], minutes = 0, ...start }: Partial<Recurrence>): Recurrence {
  return { ...start, weekdays, minutes }
}
