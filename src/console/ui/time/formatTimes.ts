import type { Span } from '#domain/time/span.ts'
import type { Zone } from '#domain/time/zone.ts'
import { formatRange } from './formatRange.ts'
import { absoluteRange } from './range.ts'

/** A range of times for reading: `2026-11-18 10:00 to 12:00:30`, with milliseconds only where it is shorter than a minute. */
export function formatTimes({ from, to }: Span, zone: Zone): string {
  const unit = to - from < 60_000 ? 1 : 1000
  const rounded = (time: number) => Math.round(time / unit) * unit
  return formatRange(absoluteRange({ from: rounded(from), to: rounded(to) }), zone)
}
