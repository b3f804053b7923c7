/** Dates and times that do not exist, or that their type cannot store. The engine would store others without a word. */
import type { ColumnType } from './columnType.ts'
import { outOfRange, type Scalar } from './scalar.ts'

const dayMs = 86_400_000
/** Times of zones are at most so far from those of UTC. */
const zoneMs = 14 * 3_600_000

interface Range {
  least: number
  most: number
}

/** Instants that the types store. */
const ranges: Readonly<Record<string, Range>> = {
  Date: { least: 0, most: 65_535 * dayMs },
  Date32: { least: Date.UTC(1900, 0, 1), most: Date.UTC(2299, 11, 31) },
  DateTime: { least: 0, most: (2 ** 32 - 1) * 1000 },
  DateTime64: { least: Date.UTC(1900, 0, 1), most: Date.UTC(2299, 11, 31, 23, 59, 59, 999) },
}

/** @returns the reason, as `scalarProblem` */
export function timeProblem(type: ColumnType, kind: Scalar['kind'], text: string): string | null {
  const range = ranges[type.name]
  if (!range || kind === 'word') return null
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text) && !isCompact(text, kind)) return numberProblem(type, range, Number(text))
  if (isFarAway(text)) return outOfRange(type)
  const parts = datePartsOf(text)
  if (parts) {
    const { year, month, day } = parts
    const at = utc(year, month - 1, day)
    const found = new Date(at)
    if (found.getUTCMonth() !== month - 1 || found.getUTCDate() !== day) return 'is a date that does not exist'
    const slack = type.name.startsWith('DateTime') ? zoneMs : 0
    if (at + (slack && dayMs) < range.least - slack || at > range.most + slack) return outOfRange(type)
    const exact = instantOf(type, text, at)
    if (slack && exact !== null && (exact < range.least || exact > range.most)) return outOfRange(type)
  }
  return hasNoSuchTime(text) ? 'is a time that does not exist' : null
}

/** Years of more than four digits, those before Christ, and infinity, as databases write them. */
function isFarAway(text: string): boolean {
  return /^-?infinity$/i.test(text) || /^\d{5,6}-\d\d-\d\d/.test(text) || /^\d{4,}-\d\d-\d\d.* BC$/.test(text)
}

/** Days for dates; seconds, or parts of them, for times. */
function numberProblem(type: ColumnType, { least, most }: Range, value: number): string | null {
  const unit = type.name.startsWith('DateTime')
    ? 1000 / 10 ** Number(type.name === 'DateTime64' ? (type.args[0] ?? 3) : 0)
    : dayMs
  const at = value * unit
  return at < least || at > most ? outOfRange(type) : null
}

/** A date, or a date and a time, without separators. */
function isCompact(text: string, kind: Scalar['kind']): boolean {
  return kind === 'text' && /^(?:19|2\d)\d{6}(?:\d{6})?$/.test(text)
}

function datePartsOf(text: string): { year: number; month: number; day: number } | null {
  const found =
    /^\s*(\d{4})(?!\d)\D(\d{1,2})(?!\d)\D(\d{1,2})(?!\d)/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)(?:\d{6})?$/.exec(text)
  if (!found) return null
  return { year: Number(found[1]), month: Number(found[2]), day: Number(found[3]) }
}

/** Unlike `Date.UTC`, which takes years below 100 for those of the last century. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0)
  return date.setUTCFullYear(year, month, day)
}

const timeOfDay = /[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?/

function hasNoSuchTime(text: string): boolean {
  const found = timeOfDay.exec(text)
  if (found) return Number(found[1]) > 23 || Number(found[2]) > 59 || Number(found[3] ?? 0) > 59
  const compact = /^\d{8}(\d\d)(\d\d)(\d\d)$/.exec(text)
  return compact !== null && (Number(compact[1]) > 23 || Number(compact[2]) > 59 || Number(compact[3]) > 59)
}

/** The instant of a text that says its zone, or whose column is in UTC; null for others. */
function instantOf(type: ColumnType, text: string, day: number): number | null {
  const time = timeOfDay.exec(text)
  const zone = time && /(?:(Z)|([+-])(\d\d):?(\d\d))$/.exec(text)
  const columnZone = type.args[type.name === 'DateTime64' ? 1 : 0]
  if (!zone && columnZone !== undefined && columnZone !== "'UTC'") return null
  const [hour, minute, second] = (time ?? []).slice(1).map((part) => Number(part ?? 0))
  const sign = zone?.[2] === '-' ? -1 : 1
  const offset = zone && !zone[1] ? sign * (Number(zone[3]) * 60 + Number(zone[4])) : 0
  return day + (((hour ?? 0) * 60 + (minute ?? 0) - offset) * 60 + (second ?? 0)) * 1000
}
