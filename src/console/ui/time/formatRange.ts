/** A range in words. `readRangeText` reads every such text back to the same range. */
import type { Zone } from '#domain/time/zone.ts'
import { namedRanges, sameRange } from './presets.ts'
import { relativeParts, type TimeRange, unitLabels } from './range.ts'
import { formatInstant } from './formatRangeTime.ts'

/** `Last 6 hours`, `Yesterday`, `2026-11-18 10:00 to 12:00`, `now-6h to now-1h`. */
export function formatRange(range: TimeRange, zone: Zone): string {
  const named = namedRanges.find((namedRange) => sameRange(namedRange.range, range))
  if (named) return named.name
  return formatRelativeRange(range) ?? `${formatRangeEnd(range.from, zone)} to ${formatRangeEnds(range, zone)}`
}

function formatRelativeRange(range: TimeRange): string | null {
  const from = relativeParts(range.from)
  if (range.to !== 'now' || !from || from.round || from.amount >= 0) return null
  const amount = -from.amount
  const word = unitLabels[from.unit]
  return amount === 1 ? `Last ${word}` : `Last ${amount} ${word}s`
}

function formatRangeEnds(range: TimeRange, zone: Zone): string {
  const to = formatRangeEnd(range.to, zone)
  const sameDay = !isNaN(Number(range.from)) && formatRangeEnd(range.from, zone).slice(0, 10) === to.slice(0, 10)
  // A clock time with an offset needs its day.
  return sameDay && !/[+-]\d\d:\d\d$/.test(to) ? to.slice(11) : to
}

function formatRangeEnd(end: string, zone: Zone): string {
  return end.startsWith('now') ? end : formatInstant(Number(end), zone)
}
