/** Dates in a time zone, computed with dayjs. */
import dayjs, { type Dayjs } from 'dayjs'
import isoWeek from 'dayjs/plugin/isoWeek.js'
import utc from 'dayjs/plugin/utc.js'
import type { Zone } from '#domain/time/zone.ts'

dayjs.extend(utc)
dayjs.extend(isoWeek)

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
