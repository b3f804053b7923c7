/**
 * Typed text to a range: what `formatRange` writes, relative ends (`now-6h to now-1h`), lengths (`3d`, `last 3 days`), ISO 8601,
 * epoch milliseconds. Anything else goes to chrono, which knows "yesterday 9 to 17" and "last monday".
 */
import type { ParsedComponents } from 'chrono-node'
import { casual } from 'chrono-node/en'
import { namedRanges } from './presets.ts'
import { isRangeEnd, type RangeUnit, type TimeRange } from './range.ts'
import { type Clock, clockAt, timeOf, timeOfText } from './zone.ts'
import { offsetAt, timeOfClock } from '#domain/time/zone.ts'
import { formatIsoDay } from './formatTime.ts'

/** The range that the text means, ends not yet checked against each other; null when it means none. */
export function readRange(text: string, clock: Clock): TimeRange | null {
  const words = text.trim().replace(/\s+/g, ' ')
  if (!words || words.length > 200) return null
  return readName(words) ?? readLength(words) ?? readEnds(words, clock) ?? readNatural(words, clock)
}

function readName(words: string): TimeRange | null {
  return namedRanges.find(({ name }) => name.toLowerCase() === words.toLowerCase())?.range ?? null
}

const length = /^(?:(?:last|past|previous)\s+)?(\d{1,6})?\s*([a-z]+)$/i
const unitNames: Record<string, RangeUnit> = {
  s: 's',
  sec: 's',
  second: 's',
  m: 'm',
  min: 'm',
  minute: 'm',
  h: 'h',
  hr: 'h',
  hour: 'h',
  d: 'd',
  day: 'd',
  w: 'w',
  week: 'w',
  mo: 'M',
  month: 'M',
  y: 'y',
  year: 'y',
}

/** `last 3 days`, `past hour`, `15m`. A bare unit needs "last" before it. */
function readLength(words: string): TimeRange | null {
  const match = length.exec(words)
  if (!match?.[2] || (!match[1] && !/^(last|past|previous)\s/i.test(words))) return null
  const name = match[2]
  const unit = name === 'M' ? 'M' : (unitNames[name.toLowerCase()] ?? unitNames[name.toLowerCase().replace(/s$/, '')])
  if (!unit) return null
  return { from: `now-${Number(match[1] ?? 1)}${unit}`, to: 'now' }
}

// Words have one space between them.
const separator = / (?:to|until|till|-|–|—) | ?\.\. ?|(?<=[\dZ])\/(?=\d)/i

function readEnds(words: string, clock: Clock): TimeRange | null {
  const ends = words.replace(/^from /i, '').split(separator)
  const [start, end] = ends
  if (ends.length > 2 || start === undefined) return null
  const from = readEnd(start, clock)
  if (from === null) return null
  if (end === undefined) return isDay(start) ? wholeDay(from, clock) : null
  const to = readEnd(isTime(end) ? `${dayOf(from, clock)} ${end}` : end, clock)
  if (to === null) return null
  // A bare day as the end means the whole of that day.
  return { from, to: isDay(end) ? wholeDay(to, clock).to : to }
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
const isTime = (text: string) => /^\d{1,2}:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)
const iso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?)?$/

function dayOf(end: string, clock: Clock): string {
  return formatIsoDay(Number(end), clock.zone)
}

function readEnd(text: string, clock: Clock): string | null {
  if (isRangeEnd(text)) return text
  const match = iso.exec(text)
  if (!match) return null
  const time = match[4] ? Date.parse(text.replace(' ', 'T')) : timeOfText(text.replace(' ', 'T'), clock.zone)
  return Number.isFinite(time) ? String(time) : null
}

function wholeDay(from: string, clock: Clock): TimeRange {
  const start = clockAt(Number(from), clock.zone).startOf('day')
  return { from: String(timeOf(start, clock.zone)), to: String(timeOf(start.add(1, 'day'), clock.zone)) }
}

function readNatural(words: string, clock: Clock): TimeRange | null {
  const offset = offsetAt(clock.now, clock.zone) / 60_000
  const results = casual.parse(words.replace(/^(since|from|between) /i, ''), {
    instant: new Date(clock.now),
    timezone: offset,
  })
  const [found, more] = results
  // A second match means that the text is not a single range.
  if (!found || more || !covers(found.text, words)) return null
  const from = edge(found.start, 'start', clock)
  const to = found.end ? edge(found.end, 'end', clock) : openEnd(found.start, words, clock)
  const back = backshift(found.start, from, clock)
  const shifted = (time: number) =>
    back.amount === 0 ? time : timeOf(clockAt(time, clock.zone).subtract(back.amount, back.unit), clock.zone)
  return { from: String(shifted(from)), to: String(found.end || back.whole ? shifted(to) : to) }
}

/** Chrono skips words that it does not know: a range from half a sentence would be a guess. */
function covers(found: string, words: string): boolean {
  const rest = words.toLowerCase().replace(found.toLowerCase(), '')
  return rest.replace(/\b(since|from|between|on|at|the|and|of)\b/g, '').trim() === ''
}

/** The start or end of a match: a day without an hour means the whole day, a month without a day the whole month. */
function edge(parts: ParsedComponents, side: 'start' | 'end', clock: Clock): number {
  const time = timeOfParts(parts, clock)
  const unit = wholeUnit(parts)
  if (!unit) return time
  const start = clockAt(time, clock.zone).startOf(unit)
  return timeOf(side === 'start' ? start : start.add(1, unit), clock.zone)
}

/** Chrono computes with the offset of now; a day on the other side of a change of clocks has another one. */
function timeOfParts(parts: ParsedComponents, clock: Clock): number {
  const time = parts.date().getTime()
  if (parts.isCertain('timezoneOffset')) return time
  return onItsWeekday(parts, timeOfClock(time + offsetAt(clock.now, clock.zone), clock.zone), clock)
}

/** Where both ends are weekdays, chrono moves one of them by the days of this machine's zone, which may be off by one. */
function onItsWeekday(parts: ParsedComponents, time: number, clock: Clock): number {
  const weekday = parts.isCertain('day') || !parts.isCertain('weekday') ? null : parts.get('weekday')
  if (weekday === null) return time
  const read = clockAt(time, clock.zone)
  // From -3 to 3.
  const days = ((weekday - read.day() + 10) % 7) - 3
  return days === 0 ? time : timeOf(read.add(days, 'day'), clock.zone)
}

function wholeUnit(parts: ParsedComponents): 'day' | 'month' | null {
  if (parts.isCertain('hour') || parts.get('hour') !== 12) return null
  return parts.isCertain('day') || parts.isCertain('weekday') ? 'day' : 'month'
}

/** A find without an end: the whole day or month, or from that moment until now. */
function openEnd(start: ParsedComponents, words: string, clock: Clock): number {
  if (/^since /i.test(words) || !wholeUnit(start)) return clock.now
  return edge(start, 'end', clock)
}

/** Telemetry lies in the past: a weekday, a time or a date without a year that chrono saw in the future is the one before. */
function backshift(start: ParsedComponents, from: number, clock: Clock) {
  const none = { amount: 0, unit: 'day', whole: false } as const
  if (from <= clock.now) return none
  const whole = wholeUnit(start) !== null
  if (start.isCertain('weekday') && !start.isCertain('day')) return { amount: 7, unit: 'day', whole } as const
  if (start.isCertain('month') && !start.isCertain('year')) return { amount: 1, unit: 'year', whole } as const
  if (start.isCertain('hour') && !start.isCertain('day')) return { amount: 1, unit: 'day', whole } as const
  return none
}
