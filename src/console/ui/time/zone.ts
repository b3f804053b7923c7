/** Dates by the clock of a time zone, computed with dayjs. */
import dayjs, { type Dayjs } from 'dayjs'
import isoWeek from 'dayjs/plugin/isoWeek.js'
import utc from 'dayjs/plugin/utc.js'
import { clockTime, ianaName, timeOfClock, type Zone } from '#domain/time/zone.ts'
import { offsetText } from './formatTime.ts'

dayjs.extend(utc)
dayjs.extend(isoWeek)

/** The base of relative times. */
export interface Clock {
  /** Epoch milliseconds. */
  now: number
  zone: Zone
}

/** The reading of the zone's clock at a time (epoch milliseconds), as a date in UTC. `timeOf` is the inverse. */
export const clockAt = (time: number, zone: Zone): Dayjs => dayjs.utc(clockTime(time, zone))

/** The time (epoch milliseconds) at which the clock of the zone shows a date in UTC. */
export const timeOf = (clock: Dayjs, zone: Zone): number => timeOfClock(clock.valueOf(), zone)

/** The time of a text without offset, such as `2026-11-18T10:00`, by the clock of the zone. */
export const timeOfText = (text: string, zone: Zone): number => timeOf(dayjs.utc(text), zone)

/** Name of the zone with its offset at that time: `UTC`, `Local: Europe/Berlin, +01:00`, `Asia/Tokyo, +09:00`. */
export function zoneName(zone: Zone, at: number): string {
  if (zone === 'utc') return 'UTC'
  return `${zone === 'local' ? 'Local: ' : ''}${ianaName(zone)}, ${offsetText(at, zone)}`
}
