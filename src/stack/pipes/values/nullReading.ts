/**
 * How nulls are told from missing fields where the engine itself reads a source. A column that has no null is read as one that
 * may be null, with a DEFAULT for fields that are missing, and so are the elements of its arrays, maps and tuples.
 */
import { literal } from '../loads/sqlNames.ts'
import { byField, type MappedField } from '../loads/fieldMapping.ts'
import { checkedColumn, composedReading, type CheckedColumn } from './checkedReading.ts'
import { columnType, hasNull, nullableType, type ColumnType } from './columnType.ts'
import { nullPlaces, type NullPlace } from './nullPlaces.ts'

/** In place of a text that is missing. */
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
    const isShared = ofField.some((one) => one.type !== field.type)
    const check = source.isChecked && !isShared ? checkedColumn(type) : null
    const reading = fieldReading(field, type, check, source)
    if (reading) found.set(name, reading)
    const isLacking = nullableType(type) !== null || ofField.some((one) => !hasNull(columnType(one.type)))
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
