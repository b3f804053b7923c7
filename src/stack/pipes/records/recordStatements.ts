/** The statements that make rows of records: one that is fast and checks values, and one that takes the engine's word for them. */
import { identifier, literal, qualified } from '../loads/sqlNames.ts'
import { loadColumn, type DestinationTable } from '../loads/destinationTable.ts'
import { readField, type MappedField } from '../loads/fieldMapping.ts'
import type { LoadPlan } from '../loads/loads.ts'
import { type CheckedColumn, composedReading } from '../values/checkedReading.ts'
import { checkedFields, checkedSource } from '../values/checkedSource.ts'
import { columnType, hasNull, nullableType, plainType, type ColumnType } from '../values/columnType.ts'
import type { FieldTypes } from '../values/recordProblem.ts'
import { nullAsDefault } from '#stack/pipes/values/nullReading.ts'

/** How rows are read. */
export interface Reading {
  /** The names and types of the fields that are sent. */
  structure: string
  /** The rows with the fields, from a source with that structure. */
  rowsFrom(source: string): string
  /** The statement into nothing, which fails for records that cannot be read. */
  intoNothing(source: string): string
}

export interface RecordStatements {
  /** Fails for a record with a value that may be stored as another one. Null if no column has such values. */
  checked: Reading | null
  plain: Reading
  /** The statement that inserts rows. */
  into: LoadPlan['statement']
  types: FieldTypes
}

export function recordStatements(
  target: DestinationTable,
  fields: readonly MappedField[],
  settings: string,
): RecordStatements {
  // A field of several columns is read as the type of the last.
  const read = new Map(fields.map((field) => [field.source, field]))
  const names = [...read.keys()]
  const checks = checkedFields(fields)
  const reading = (used: ReadonlyMap<string, CheckedColumn>): Reading => {
    const structure = [...read.values()]
      .map((field) => readField(field, used.get(field.source)?.readAs ?? field.type))
      .join(', ')
    const rowsFrom = (source: string) => (used.size === 0 ? source : checkedSource(names, used, source))
    return {
      structure,
      rowsFrom,
      intoNothing: (source) =>
        `INSERT INTO FUNCTION null(${literal(structure)}) SELECT * FROM ${rowsFrom(source)} SETTINGS ${settings}`,
    }
  }
  return {
    plain: reading(defaultedFields(fields)),
    checked: checks.size === 0 ? null : reading(checks),
    into: (load, source) => ({
      sql: `INSERT INTO ${qualified(target.database, target.table)}
        (${[...fields.map((field) => field.destination), loadColumn].map(identifier).join(', ')})
        SELECT ${[...fields.map((field) => identifier(field.source)), load].join(', ')} FROM ${source} SETTINGS ${settings}`,
      params: {},
    }),
    types: new Map(
      names.map((source) => [
        source,
        fields.filter((field) => field.source === source).map(({ type }) => columnType(type)),
      ]),
    ),
  }
}

/**
 * How missing fields and nulls of a `Date32` or `Enum` are read as the default of their type, by name. The engine would store the
 * number 0 instead: not the default of a `Date32`, and no value of most enums, so that the column could not be read any more.
 */
function defaultedFields(fields: readonly MappedField[]): Map<string, CheckedColumn> {
  const found = new Map<string, CheckedColumn>()
  // A field of several columns is read as the type of the last.
  for (const { source, type } of fields) {
    const reading = defaultedColumn(columnType(type))
    if (reading) found.set(source, reading)
    else found.delete(source)
  }
  return found
}

/** Null for a type that needs no reading of its own: the engine stores its default for missing fields and nulls. */
function defaultedColumn(type: ColumnType, isKey = false): CheckedColumn | null {
  if (isKey) return null
  const { type: plain } = plainType(type)
  if (plain.parts.length > 0) return hasNull(type) ? null : composedReading(plain, defaultedColumn)
  const storesZeroForMissing = nullableType(type) !== null && /^(?:Enum8|Enum16|Date32)$/.test(plain.name)
  return storesZeroForMissing ? nullAsDefault(type) : null
}
