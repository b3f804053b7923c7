/**
 * How nulls are told from missing fields where the engine itself reads a source. A column that has no null is read as one that
 * may be null, with a DEFAULT for fields that are missing, and so are the elements of its arrays, maps and tuples.
 */
import { literal, identifier } from '../loads/sqlNames.ts'
import { byField, type MappedField } from '../loads/fieldMapping.ts'
import { checkedColumn, composedReading, type CheckedColumn } from './checkedReading.ts'
import { columnType, hasNull, nullableType, type ColumnType } from './columnType.ts'

/** The value in place of a missing text. */
const missing = literal('\0missing\0')

/** Fields for which `isNull` tells a null of the source. */
interface NullReading {
  /** How they are read, by name. */
  fields: ReadonlyMap<string, CheckedColumn>
  /** Where nulls become defaults. */
  places: readonly NullPlace[]
}

/** How the values of a source are read. */
export interface SourceValues {
  /** Whether they are checked too: values of text. */
  isChecked: boolean
  /** Whether arrays, maps and tuples have elements that may be null. */
  hasElements: boolean
  /** Whether a part that a tuple lacks is looked for as a null is: the source does not tell them apart. */
  findsParts: boolean
}

/** @returns how the fields are read that need it */
export function nullReading(fields: readonly MappedField[], source: SourceValues): NullReading {
  const found = new Map<string, CheckedColumn>()
  const places: NullPlace[] = []
  for (const [name, ofField] of byField(fields)) {
    const field = ofField.at(-1)
    if (!field) continue
    const type = columnType(field.type)
    // A field of several columns is read as the type of the last, and its values are not checked.
    const isShared = ofField.some((mappedField) => mappedField.type !== field.type)
    const check = source.isChecked && !isShared ? checkedColumn(type) : null
    const reading = fieldReading(field, type, check, source)
    if (reading) found.set(name, reading)
    const isLacking =
      nullableType(type) !== null || ofField.some((mappedField) => !hasNull(columnType(mappedField.type)))
    places.push(...nullPlaces(type, name, { isLacking, ...source }))
  }
  return { fields: found, places }
}

/** Null for a field whose values and nulls need no care. */
function fieldReading(
  { missing: tableDefault }: MappedField,
  type: ColumnType,
  check: CheckedColumn | null,
  source: SourceValues,
): CheckedColumn | null {
  if (nullableType(type) !== null) return scalarReading(type, check)
  if (!source.hasElements || type.parts.length === 0 || hasNull(type)) return check
  const reading = composedReading(type, (part, isKey) => partReading(part, isKey, source.isChecked))
  // Or else the parts of a tuple that is missing would be null.
  return reading && tableDefault === undefined
    ? { ...reading, readAs: `${reading.readAs} DEFAULT ${typeDefault(type)}` }
    : reading
}

/** A column whose type can be Nullable, and is not. */
function scalarReading(type: ColumnType, check: CheckedColumn | null): CheckedColumn {
  const reading = partOf(type, check)
  if (!check?.readAs.startsWith('Nullable('))
    return { ...reading, readAs: `${reading.readAs} DEFAULT ${typeDefault(type)}` }
  // It is a text, whose missing value is the default already.
  const present = (expression: string) => `nullIf(${expression}, ${missing})`
  return {
    readAs: `${check.readAs} DEFAULT ${missing}`,
    value: (expression) => check.value(present(expression)),
    isCertain: (expression) => check.isCertain(present(expression)),
  }
}

/** An element, so that `isNull` tells its null. Keys of a map cannot be null. */
function partReading(type: ColumnType, isKey: boolean, isChecked: boolean): CheckedColumn | null {
  const check = isChecked ? checkedColumn(type) : null
  if (isKey) return check
  if (nullableType(type) !== null) return partOf(type, check)
  if (type.parts.length === 0 || hasNull(type)) return check
  return composedReading(type, (part, isPartKey) => partReading(part, isPartKey, isChecked))
}

/** A column without nulls, read as one with nulls, which becomes the default of its type. */
function partOf(type: ColumnType, check: CheckedColumn | null): CheckedColumn {
  if (!check) return nullAsDefault(type)
  if (check.readAs.startsWith('Nullable(')) return check
  const present = (expression: string) => `ifNull(${expression}, CAST(${typeDefault(type)}, ${literal(check.readAs)}))`
  return {
    readAs: `Nullable(${check.readAs})`,
    value: (expression) => check.value(present(expression)),
    isCertain: (expression) => check.isCertain(present(expression)),
  }
}

/** A type that is read as one that may be null, and whose nulls become its default. */
export function nullAsDefault(type: ColumnType): CheckedColumn {
  return {
    readAs: nullableType(type) ?? type.text,
    value: (expression) => `CAST(ifNull(${expression}, ${typeDefault(type)}), ${literal(type.text)})`,
    isCertain: () => null,
  }
}

const typeDefault = ({ text }: ColumnType) => `defaultValueOfTypeName(${literal(text)})`

/** Where the values of a column may be null that have no null: the column itself, and the elements of arrays, maps and tuples. */
export interface NullPlace {
  /** The field: `list[]` for an element of an array, `map.*` for a value of a map, `tuple.name` for a part of a tuple. */
  field: string
  isWithin: boolean
  /** The number of such nulls of a row, as an expression in SQL. */
  count: string
}

interface Looked {
  /** Whether the field itself is one. */
  isLacking: boolean
  hasElements: boolean
  findsParts: boolean
}

/** @param type as the column has it; it is read as one whose values may be null */
function nullPlaces(type: ColumnType, name: string, looked: Looked): NullPlace[] {
  const column = identifier(name)
  const canBeNull = nullableType(type) !== null || hasNull(type)
  if (canBeNull) return looked.isLacking ? [{ field: name, isWithin: false, count: isNull(column) }] : []
  return looked.hasElements ? elementsOf(type, name, column, looked, 0) : []
}

/** @param depth of the lambda, for the name of its argument */
function elementsOf(type: ColumnType, field: string, value: string, looked: Looked, depth: number): NullPlace[] {
  const [firstPart, secondPart] = type.parts
  const element = `e${depth}`
  const each = (list: string, of: ColumnType | undefined, name: string) =>
    (of ? placesOf(of, name, element, looked, depth + 1) : []).map(({ count, ...place }) => ({
      ...place,
      count: `arraySum(${element} -> ${count}, ${list})`,
    }))
  if (type.name === 'Array') return each(value, firstPart?.type, `${field}[]`)
  if (type.name === 'Map') return each(`mapValues(${value})`, secondPart?.type, `${field}.*`)
  if (type.name !== 'Tuple' || !looked.findsParts) return []
  return type.parts.flatMap((part, at) =>
    placesOf(part.type, `${field}.${part.name ?? at + 1}`, `tupleElement(${value}, ${at + 1})`, looked, depth),
  )
}

function placesOf(type: ColumnType, field: string, value: string, looked: Looked, depth: number): NullPlace[] {
  if (nullableType(type) !== null) return [{ field, isWithin: true, count: isNull(value) }]
  return hasNull(type) ? [] : elementsOf(type, field, value, looked, depth)
}

const isNull = (value: string) => `toUInt64(isNull(${value}))`

/** A condition that fails for the first null, with the name of its field. */
export function withoutNulls(places: readonly NullPlace[]): string[] {
  return places.map((place) => `throwIf(${place.count} > 0, ${literal(nullReason(place))}) = 0`)
}

/** Why a null makes a record bad. */
export function nullReason({ field, isWithin }: Pick<NullPlace, 'field' | 'isWithin'>): string {
  return isWithin
    ? `${field}: null, and its type within the column is not Nullable`
    : `${field}: null, and its column is neither Nullable nor has a DEFAULT that needs no other column`
}
