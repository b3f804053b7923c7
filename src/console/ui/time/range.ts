/**
 * A range of time. In a URL and in a form each end is text: relative (`now`, `now-6h`, `now-1d/d`) or epoch milliseconds.
 * `/d` rounds to the unit: the start of a range down, its end up, so `now-1d/d` on both ends is the whole of yesterday.
 */
import type { ManipulateType, OpUnitType } from 'dayjs'
import type { Span } from '#domain/time/span.ts'
import { type Clock, clockAt, timeOf } from './zone.ts'

export interface TimeRange {
  from: string
  to: string
}

export const minSpan = 1000
/** Ten years, leap days included. */
export const maxSpan = 3653 * 86_400_000

const units = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week', M: 'month', y: 'year' } as const
export type RangeUnit = keyof typeof units
export const unitLabels: Record<RangeUnit, ManipulateType> = units

const relative = /^now(?:([+-])(\d{1,6})([smhdwMy]))?(?:\/([smhdwMy]))?$/
const instant = /^\d{13}$/

/** The parts of a relative end; null for anything else. */
export function relativeParts(end: string): { amount: number; unit: RangeUnit; round?: RangeUnit } | null {
  const match = relative.exec(end)
  if (!match) return null
  const amount = Number(match[2] ?? 0) * (match[1] === '-' ? -1 : 1)
  // The pattern admits these letters only.
  const unit = (match[3] ?? 's') as RangeUnit
  return { amount, unit, ...(match[4] && { round: match[4] as RangeUnit }) }
}

export function isRangeEnd(text: string): boolean {
  return relative.test(text) || instant.test(text)
}

/** Whether the range moves with the clock. */
export function isRelative(range: TimeRange): boolean {
  return range.from.startsWith('now') || range.to.startsWith('now')
}

/** The start and end of a range, or an error message. */
export function resolveRange(range: TimeRange, clock: Clock): Span | { problem: string } {
  const from = resolveEnd(range.from, 'from', clock)
  const to = resolveEnd(range.to, 'to', clock)
  if (from === null) return { problem: `"${range.from}" is not a time: use now-1h, or epoch milliseconds` }
  if (to === null) return { problem: `"${range.to}" is not a time: use now, or epoch milliseconds` }
  if (from >= to) return { problem: 'The range must end after it starts' }
  if (to - from < minSpan) return { problem: 'The range must be at least one second' }
  if (to - from > maxSpan) return { problem: 'The range must be at most ten years' }
  if (from < 1e12) return { problem: 'The range must start after 9 September 2001' }
  return { from, to }
}

function resolveEnd(end: string, side: keyof TimeRange, clock: Clock): number | null {
  if (instant.test(end)) return Number(end)
  const parts = relativeParts(end)
  if (!parts) return null
  const moved = movedTime(clock, parts)
  if (!parts.round || !Number.isFinite(moved)) return finite(moved)
  // Weeks start on Monday.
  const unit: OpUnitType | 'isoWeek' = parts.round === 'w' ? 'isoWeek' : units[parts.round]
  const start = clockAt(moved, clock.zone).startOf(unit as OpUnitType)
  return finite(timeOf(side === 'from' ? start : start.add(1, units[parts.round]), clock.zone))
}

/** Days and longer units are those of the clock: a day has 23 or 25 hours where it changes. */
function movedTime({ now, zone }: Clock, { amount, unit }: { amount: number; unit: RangeUnit }): number {
  const length = { s: 1000, m: 60_000, h: 3_600_000 }[String(unit)]
  if (length !== undefined) return now + amount * length
  return timeOf(clockAt(now, zone).add(amount, units[unit]), zone)
}

const finite = (time: number): number | null => (Number.isFinite(time) ? time : null)

/** A range as fixed times, which no longer moves with the clock. */
export function absoluteRange(span: Span): TimeRange {
  return { from: String(Math.round(span.from)), to: String(Math.round(span.to)) }
}

/** One whole range earlier (-1) or later (1). */
export function shiftSpan(span: Span, direction: -1 | 1): Span {
  const step = (span.to - span.from) * direction
  return { from: span.from + step, to: span.to + step }
}

/** Twice as long around the same middle, within ten years and not further into the future than it was. */
export function zoomOut(span: Span, now: number): Span {
  const length = Math.min((span.to - span.from) * 2, maxSpan)
  const middle = (span.from + span.to) / 2
  const to = Math.round(Math.min(middle + length / 2, Math.max(now, span.to)))
  return { from: Math.max(to - length, 1e12), to }
}

/** A selection on a chart as a span: ends in order, at least a second long. */
export function selectedSpan(a: number, b: number): Span {
  const from = Math.round(Math.min(a, b))
  return { from, to: Math.max(Math.round(Math.max(a, b)), from + minSpan) }
}
