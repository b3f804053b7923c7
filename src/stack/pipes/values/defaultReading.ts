/**
 * Missing fields and nulls as the default of their type. The engine stores the number 0 in their place, which is not the default of
 * a `Date32` and mostly none of the values of an `Enum`: such a column cannot be read any more.
 */
import type { MappedField } from '../loads/fieldMapping.ts'
import { composedReading, type CheckedColumn } from './checkedReading.ts'
import { columnType, hasNull, nullableType, plainType, type ColumnType } from './columnType.ts'
import { nullAsDefault } from './nullReading.ts'

/** How fields are read whose missing values need care, by name. */
export function defaultedFields(fields: readonly MappedField[]): Map<string, CheckedColumn> {
  const found = new Map<string, CheckedColumn>()
  // A field of several columns is read as the type of the last.
  for (const { source, type } of fields) {
    const reading = defaultedColumn(columnType(type))
    if (reading) found.set(source, reading)
    else found.delete(source)
  }
  return found
}

/** Null for a type whose default is stored for what is missing. */
function defaultedColumn(type: ColumnType, isKey = false): CheckedColumn | null {
  if (isKey) return null
  const { type: plain } = plainType(type)
  if (plain.parts.length > 0) return hasNull(type) ? null : composedReading(plain, defaultedColumn)
  const isLacking = nullableType(type) !== null && /^(?:Enum8|Enum16|Date32)$/.test(plain.name)
  return isLacking ? nullAsDefault(type) : null
}
