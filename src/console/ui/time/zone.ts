/** The time zone of displayed times: that of the browser, or UTC. Dates are computed with dayjs in either. */
import dayjs, { type Dayjs } from 'dayjs'
import isoWeek from 'dayjs/plugin/isoWeek.js'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)
dayjs.extend(isoWeek)

export const zones = ['local', 'utc'] as const
export type Zone = (typeof zones)[number]

/** What relative times are relative to. */
export interface Clock {
  /** Epoch milliseconds. */
  now: number
  zone: Zone
}

/** An instant (epoch milliseconds) or a text without offset, as a date of the zone. */
export function inZone(time: number | string, zone: Zone): Dayjs {
  return zone === 'utc' ? dayjs.utc(time) : dayjs(time)
}

/** Name of the zone with its offset at that instant: `UTC`, or `Local: Europe/Berlin, +01:00`. */
export function zoneName(zone: Zone, at: number): string {
  if (zone === 'utc') return 'UTC'
  return `Local: ${Intl.DateTimeFormat().resolvedOptions().timeZone}, ${dayjs(at).format('Z')}`
}
