/** Silences: times in which an alert, or one group of it, sends nothing. Evaluation continues. */

/** A maintenance window that repeats every week, in UTC. */
interface Recurrence {
  /** The days on which it begins; 0 is Sunday. */
  weekdays: readonly number[]
  /** `22:30` */
  startUtc: string
  /** At most a day. */
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

/** Whether what a group sends at this time is suppressed. */
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

/** The silences that were set at a time of the past, and in effect: what should have been sent then was suppressed. */
export function silencesInEffect(silences: readonly PastSilence[], at: number): PastSilence[] {
  return silences.filter((one) => one.from <= at && isSilenced([one], one.group ?? '', at))
}

/** A window that began yesterday may last until today. */
function isInside({ weekdays, startUtc, minutes }: Recurrence, now: number): boolean {
  const [hour = 0, minuteOfHour = 0] = startUtc.split(':').map(Number)
  const today = Math.floor(now / day) * day
  return [today, today - day].some((date) => {
    const start = date + (hour * 60 + minuteOfHour) * minute
    return weekdays.includes(new Date(date).getUTCDay()) && start <= now && now < start + minutes * minute
  })
}
