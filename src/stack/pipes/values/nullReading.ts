/**
 * How nulls are told from missing fields where the engine itself reads a source. A column that has no null is read as one that
 * may be null, with a DEFAULT for fields that are missing.
 */
import { identifier, literal } from '../loads/sqlNames.ts'
import type { MappedField } from '../loads/fieldMapping.ts'
import { checkedColumn, type CheckedColumn } from './checkedReading.ts'
import { columnType, nullableType, type ColumnType } from './columnType.ts'

/** In place of a text that is missing. */
const missing = literal('\0missing\0')

/** Fields for which `isNull` tells a null of the source. */
interface NullReading {
  /** How they are read, by name. */
  fields: ReadonlyMap<string, CheckedColumn>
  /** The names of the fields whose nulls become defaults. */
  names: readonly string[]
}

/**
 * @param checked whether values are checked too
 * @returns how the fields are read that need it
 */
export function nullReading(fields: readonly MappedField[], checked: boolean): NullReading {
  const found = new Map<string, CheckedColumn>()
  const names: string[] = []
  for (const { source, type } of fields) {
    // A field of several columns is read as the type of one of them.
    if (fields.some((field) => field.source === source && field.type !== type)) continue
    const column = columnType(type)
    const check = checked ? checkedColumn(column) : null
    const withNull = nullField(column, check)
    if (withNull) names.push(source)
    const field = withNull ?? check
    if (field) found.set(source, field)
  }
  return { fields: found, names: [...new Set(names)] }
}

/** Null for a column that has a null, or whose type cannot have one: such as arrays. */
function nullField(type: ColumnType, check: CheckedColumn | null): CheckedColumn | null {
  if (nullableType(type) === null) return null
  const typeDefault = `defaultValueOfTypeName(${literal(type.text)})`
  if (!check) {
    return {
      readAs: `${nullableType(type)} DEFAULT ${typeDefault}`,
      value: (expression) => `CAST(ifNull(${expression}, ${typeDefault}), ${literal(type.text)})`,
      isCertain: () => null,
    }
  }
  if (check.readAs.startsWith('Nullable(')) {
    // It is a text, whose missing value is the default already.
    const present = (expression: string) => `nullIf(${expression}, ${missing})`
    return {
      readAs: `${check.readAs} DEFAULT ${missing}`,
      value: (expression) => check.value(present(expression)),
      isCertain: (expression) => check.isCertain(present(expression)),
    }
  }
  const present = (expression: string) => `ifNull(${expression}, CAST(${typeDefault}, ${literal(check.readAs)}))`
  return {
    readAs: `Nullable(${check.readAs}) DEFAULT ${typeDefault}`,
    value: (expression) => check.value(present(expression)),
    isCertain: (expression) => check.isCertain(present(expression)),
  }
}

/** A condition that fails for the first null, with the name of its field. */
export function withoutNulls(names: readonly string[]): string[] {
  return names.map((name) => {
    const reason = literal(`${name}: null, and its column is neither Nullable nor has a DEFAULT`)
    return `throwIf(isNull(${identifier(name)}), ${reason}) = 0`
  })
}
