/** Converts field names to SQL: columns, and keys of map columns after a dot or in brackets. */
import { similarNames } from '#domain/text/similarNames.ts'
import { Bindings } from './bindings.ts'
import type { Columns, ColumnType } from './tableLayout.ts'
import { quoted } from './engine/tableName.ts'

/** An expression over a row, ready to be used in SQL. */
export interface Value {
  sql: string
  type: ColumnType
  /** For a key of a map column. The engine uses indexes on its values for `=` and `ILIKE`. */
  key?: {
    of: Attribute
    /** The condition that a row has the key, if an index finds it. */
    isPresent?: string
  }
}

/** A column, or a key of a map column. */
export interface Attribute {
  column: string
  key?: string
}

const bracketed = /^([^[\]]+)\[(['"])(.+)\2\]$/s

/**
 * The expression of a field name; undefined if no column fits. The longest column name is used, and the rest is
 * the key: `LogAttributes.http.status_code`, also written `LogAttributes['http.status_code']`.
 */
export function fieldValue(field: string, columns: Columns, bindings: Bindings): Value | undefined {
  const type = columns.get(field)
  if (type) return { sql: quoted(field), type }
  const brackets = bracketed.exec(field)
  const inBrackets = brackets?.[1] && brackets[3] ? keyed(brackets[1], brackets[3], columns, bindings) : undefined
  if (inBrackets) return inBrackets
  for (let dot = field.lastIndexOf('.'); dot > 0; dot = field.lastIndexOf('.', dot - 1)) {
    const value = keyed(field.slice(0, dot), field.slice(dot + 1), columns, bindings)
    if (value) return value
  }
  return undefined
}

/** The column or the key of a map that a field names; undefined for anything else. */
export function attributeNamed(field: string, columns: Columns): Attribute | undefined {
  if (columns.has(field)) return { column: field }
  const [, map, key] = called.exec(field) ?? []
  if (map !== undefined && key !== undefined && columns.get(map)?.kind === 'map') return { column: map, key }
  return fieldValue(field, columns, new Bindings())?.key?.of
}

/** As the console groups by a key. One whose spelling is not its text is an expression like any other. */
const called = /^arrayElement\((\w+), '([^'\\]+)'\)$/

function keyed(name: string, key: string, columns: Columns, bindings: Bindings): Value | undefined {
  const type = columns.get(name)
  if (!type || key === '') return undefined
  const column = quoted(name)
  if (type.kind === 'map') {
    const bound = bindings.bind(key, 'String')
    const isPresent = `mapContains(${column}, ${bound})`
    const of = { column: name, key }
    return { sql: `${column}[${bound}]`, type: type.value, key: { of, ...(type.keysIndexed && { isPresent }) } }
  }
  if (type.kind === 'array' && type.item.kind === 'map') {
    const item = `element[${bindings.bind(key, 'String')}]`
    return { sql: `arrayMap(element -> ${item}, ${column})`, type: { kind: 'array', item: type.item.value } }
  }
  const path = key.split('.')
  if (type.kind === 'json') {
    return { sql: `toString(${[column, ...path.map(quoted)].join('.')})`, type: { kind: 'text', nullable: true } }
  }
  if (type.kind === 'text') {
    const parts = path.map((part) => bindings.bind(part, 'String')).join(', ')
    return { sql: `JSONExtractString(${column}, ${parts})`, type }
  }
  return undefined
}

/** The columns with data, without those that the engine computes. */
function ownColumns(columns: Columns): string[] {
  return [...columns.keys()].filter((name) => !/^__|Items$/.test(name))
}

/** Whether a name resembles that of a column, so that it may be a misspelled field. */
export function isSimilar(field: string, columns: Columns): boolean {
  return similarNames(columnPart(field), ownColumns(columns)).length > 0
}

const columnPart = (field: string): string => field.split(/[.[]/, 1)[0] ?? field

/** The message for a field that does not exist, with the fields that may be meant. */
export function missingField(field: string, columns: Columns): string {
  const near = similarNames(columnPart(field), ownColumns(columns))
  const hint =
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `the columns are ${ownColumns(columns).join(', ')}`
  return `field "${field}" does not exist: ${hint}`
}
