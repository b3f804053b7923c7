/** Time zones of displayed times, and the clock of each. Times are epoch milliseconds. */

/** `local` is that of the browser; others are `utc` or names of the IANA database, such as `Europe/Berlin`. */
export type Zone = 'local' | 'utc' | (string & {})

export function isZone(name: string): boolean {
  if (name === 'local' || name === 'utc') return true
  // Offsets such as +02:00 are accepted by the formatter too, and have no clock that changes.
  return /^[A-Za-z]/.test(name) && formatterOf(name) !== null
}

/** The name of a zone in the IANA database. Browsers without one call theirs Etc/Unknown. */
export function ianaName(zone: Zone): string {
  if (zone === 'utc') return 'UTC'
  return zone === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone
}

/** The milliseconds by which the clock of a zone is ahead of UTC at a time. */
export function offsetAt(time: number, zone: Zone): number {
  if (zone === 'utc' || !Number.isFinite(time)) return 0
  if (zone === 'local') return -new Date(time).getTimezoneOffset() * 60_000
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of formatterOf(zone)?.formatToParts(time) ?? []) parts[type] = Number(value)
  const { year, month, day, hour = 0, minute = 0, second = 0 } = parts
  if (year === undefined || month === undefined || day === undefined) return 0
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000
}

/** The reading of a zone's clock at a time, as the time at which a clock of UTC shows it. */
export const clockTime = (time: number, zone: Zone): number => time + offsetAt(time, zone)

const day = 86_400_000

/**
 * The time at which the clock of a zone shows `clock` (see `clockTime`): the first of two where clocks go back. A clock that
 * goes forward shows some times never: then it is as much later as the clock goes forward.
 */
export function timeOfClock(clock: number, zone: Zone): number {
  const before = clock - offsetAt(clock - day, zone)
  if (clockTime(before, zone) === clock) return before
  const after = clock - offsetAt(clock + day, zone)
  return clockTime(after, zone) === clock ? after : before
}

const formatters = new Map<string, Intl.DateTimeFormat | null>()

/** Cached, because making one takes longer than a hundred uses. Null for a name that is no zone. */
function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  let formatter: Intl.DateTimeFormat | null = null
  try {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    // Not a zone of this browser.
  }
  // Names come from URLs.
  if (formatters.size > 500) formatters.clear()
  formatters.set(zone, formatter)
  return formatter
}
