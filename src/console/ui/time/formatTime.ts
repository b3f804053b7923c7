/** Times and lengths of time as text. */
import { inZone, type Zone } from './zone.ts'

/** `10:05:30`, `10:05`, `18 Nov`, `Nov`, `2026`: the coarsest part of the time that is new at this tick. */
export function formatTimeTick(time: number, zone: Zone): string {
  const date = inZone(time, zone)
  if (time % 1000) return date.format('ss.SSS')
  if (date.second()) return date.format('HH:mm:ss')
  if (date.hour() || date.minute()) return date.format('HH:mm')
  if (date.date() > 1) return date.format('D MMM')
  return date.month() ? date.format('MMM') : date.format('YYYY')
}

/** A bucket's start as precise as its length needs: `Fri 20 Nov 2026, 10:05`. */
export function formatBucket(time: number, bucketMs: number, zone: Zone): string {
  const format = bucketMs < 60_000 ? 'ddd D MMM YYYY, HH:mm:ss' : 'ddd D MMM YYYY, HH:mm'
  return inZone(time, zone).format(format)
}

const lengths: [number, string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
]

/** `30 seconds`, `1 hour`, `7 days`. */
export function formatDuration(ms: number): string {
  const [size, word] = lengths.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'millisecond']
  const amount = ms / size
  return `${amount} ${word}${amount === 1 ? '' : 's'}`
}
