/**
 * Nulls of records for columns that have none, and for the types within arrays, maps and tuples. The engine stores a default in their
 * place, so they are counted, or make their record a bad one. For files that are loaded as a whole, the count lacks nulls in the place of
 * a whole array, map, tuple or JSON and, in JSON files, of a part of a tuple.
 */
import { byField, type MappedField } from '../loads/fieldMapping.ts'
import { columnType, hasNull, plainType, type ColumnType } from '../values/columnType.ts'
import { nullReason, type NullPlace } from '../values/nullReading.ts'
import type { RecordBuffer } from './recordBuffer.ts'

const nullBytes = Buffer.from('null')

/** A null of a record for which its type has no value. */
type FoundNull = Pick<NullPlace, 'field' | 'isWithin'>

/** Finds the nulls of a record, each as often as it is there. */
type NullFinder = (json: Buffer) => readonly FoundNull[]

export function nullFinder(fields: readonly MappedField[]): NullFinder {
  const checked = [...byField(fields)].flatMap(([name, ofField]) => {
    const columns = ofField.map(({ type, missing }) => {
      const parsedType = columnType(type)
      return { name, type: parsedType, isLacking: !hasNull(parsedType) && missing === undefined }
    })
    // A field of several columns is a null of one of them.
    const found = columns.find(({ isLacking }) => isLacking) ?? columns.find(({ type }) => mayHaveWithin(type))
    return found ? [found] : []
  })
  if (checked.length === 0) return () => []
  const within = checked.filter(({ type }) => mayHaveWithin(type))
  const names = checked.filter(({ isLacking }) => isLacking).map(({ name }) => escaped(JSON.stringify(name)))
  const isNamed = within.some(({ type }) => hasNames(type))
  const likely = new RegExp(
    [
      ...(names.length > 0 ? [`(?:${names.join('|')})\\s*:\\s*null`] : []),
      ...(within.length > 0 ? ['[[,]\\s*null'] : []),
      ...(isNamed ? [':\\s*null'] : []),
    ].join('|'),
  )
  return (json) => {
    if (!json.includes(nullBytes)) return []
    const text = json.toString()
    // A name may be written with escapes.
    if (!likely.test(text) && !text.includes('\\')) return []
    const record = parseObject(text)
    return checked.flatMap(({ name, type, isLacking }) => {
      if (!Object.hasOwn(record, name) || (record[name] === null && !isLacking)) return []
      return nullsOf(record[name], type, name)
    })
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether a type consists of others of which one has no null. */
function mayHaveWithin(declared: ColumnType): boolean {
  const { type } = plainType(declared)
  return type.parts.some(({ type: part }) => !hasNull(part) || mayHaveWithin(part))
}

/** Whether values of a type may be objects. */
function hasNames({ name, parts }: ColumnType): boolean {
  return name === 'Map' || name === 'Tuple' || parts.some(({ type }) => hasNames(type))
}

function nullsOf(value: unknown, declared: ColumnType, field: string, isWithin = false): FoundNull[] {
  if (value === null) return hasNull(declared) ? [] : [{ field, isWithin }]
  const { type } = plainType(declared)
  if (typeof value !== 'object' || !mayHaveWithin(type)) return []
  const [firstPart, secondPart] = type.parts
  const partNulls = (part: unknown, of: ColumnType | undefined, name: string) =>
    of ? nullsOf(part, of, name, true) : []
  if (Array.isArray(value)) {
    if (type.name === 'Array') return value.flatMap((element) => partNulls(element, firstPart?.type, `${field}[]`))
    if (type.name !== 'Tuple') return []
    return value.flatMap((part, at) =>
      partNulls(part, type.parts[at]?.type, `${field}.${type.parts[at]?.name ?? at + 1}`),
    )
  }
  const members = Object.entries(value ?? {})
  if (type.name === 'Map') return members.flatMap(([, member]) => partNulls(member, secondPart?.type, `${field}.*`))
  if (type.name !== 'Tuple') return []
  return members.flatMap(([name, member]) =>
    partNulls(member, type.parts.find((part) => part.name === name)?.type, `${field}.${name}`),
  )
}

/** The nulls of the rows of a batch, by field. */
export function countedNulls(batch: RecordBuffer, nullsIn: NullFinder): Map<string, number> {
  const counts = new Map<string, number>()
  // Mostly there is none at all.
  if (!batch.lines().some((lines) => lines.includes(nullBytes))) return counts
  for (let row = 0; row < batch.rows; row++) {
    for (const { field } of nullsIn(batch.line(row))) counts.set(field, (counts.get(field) ?? 0) + 1)
  }
  return counts
}

/** Moves the records to the bad ones that have such a null. */
export function separateNulls(batch: RecordBuffer, nullsIn: NullFinder): void {
  const reasons = new Map<number, string>()
  for (let row = 0; row < batch.rows; row++) {
    const [found] = nullsIn(batch.line(row))
    if (found) reasons.set(row, nullReason(found))
  }
  batch.exclude(reasons)
}

/** An object without fields for what is no JSON: others find that out. */
function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // its names are checked
  } catch {
    return {}
  }
}
