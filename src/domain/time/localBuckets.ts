/**
 * Buckets of hours and days that start by the local clock, as the API answers them for a `timezone`: days at midnight,
 * hours at multiples of their length. Where clocks change, a bucket is longer or shorter. Times are epoch milliseconds.
 */
import { clockTime, ianaName, offsetAt, timeOfClock, type Zone } from './zone.ts'

const hour = 3_600_000
const day = 24 * hour

/** Whether buckets of this length start at other times in another zone. */
const hasLocalStart = (bucketMs: number, zone: Zone): boolean => zone !== 'utc' && bucketMs % hour === 0

/** The `timezone` of a query for buckets of this length; undefined where they start as in UTC. */
export function timezoneOf(bucketMs: number, zone: Zone): string | undefined {
  if (!hasLocalStart(bucketMs, zone)) return undefined
  const name = ianaName(zone)
  // Browsers without a zone of the database call it Etc/Unknown.
  return /^(?:Etc\/)?(?:UTC|Unknown)$/.test(name) ? undefined : name
}

/** The start of the bucket that holds a time. */
export function bucketStart(time: number, bucketMs: number, zone: Zone): number {
  if (!hasLocalStart(bucketMs, zone)) return Math.floor(time / bucketMs) * bucketMs
  // The hour that clocks repeat is two hours: it is not found by its name.
  if (bucketMs === hour) {
    const offset = offsetAt(time, zone)
    return Math.floor((time + offset) / hour) * hour - offset
  }
  const clock = clockTime(time, zone)
  const midnight = Math.floor(clock / day) * day
  const start =
    bucketMs % day === 0
      ? Math.floor(clock / bucketMs) * bucketMs
      : midnight + Math.floor((clock - midnight) / bucketMs) * bucketMs
  return timeOfClock(start, zone)
}

/** The end of a bucket, whose start may be one of UTC, because the deployment does not know time zones. */
export function bucketEnd(start: number, bucketMs: number, zone: Zone): number {
  if (!hasLocalStart(bucketMs, zone) || bucketStart(start, bucketMs, zone) !== start) return start + bucketMs
  // The next bucket is the first that starts later: clocks change by half an hour at least.
  let inNext = start + bucketMs - hour
  while (bucketStart(inNext, bucketMs, zone) <= start) inNext += hour / 2
  return bucketStart(inNext, bucketMs, zone)
}

/**
 * A bucket of an earlier period, moved onto the present one: to the local start that is nearest, where clocks changed in
 * between.
 */
export function movedBucket(start: number, by: number, bucketMs: number, zone: Zone): number {
  const isLocal = hasLocalStart(bucketMs, zone) && bucketStart(start, bucketMs, zone) === start
  return isLocal ? bucketStart(start + by + bucketMs / 2, bucketMs, zone) : start + by
}
