/** Converts field names to SQL: columns, and keys of map columns after a dot or in brackets. */
import type { Bindings } from './bindings.ts'
import type { Columns, ColumnType } from './tableLayout.ts'
import { quoted } from './engine/tableName.ts'

/** An expression over a row, ready to be used in SQL. */
export interface Value {
  sql: string
  type: ColumnType
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

function keyed(name: string, key: string, columns: Columns, bindings: Bindings): Value | undefined {
  const type = columns.get(name)
  if (!type || key === '') return undefined
  const column = quoted(name)
  if (type.kind === 'map') return { sql: `${column}[${bindings.bind(key, 'String')}]`, type: type.value }
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
  return nearestColumns(columnPart(field), columns).length > 0
}

const columnPart = (field: string): string => field.split(/[.[]/, 1)[0] ?? field

/** The message for a field that does not exist, with the fields that may be meant. */
export function missingField(field: string, columns: Columns): string {
  const near = nearestColumns(columnPart(field), columns)
  const hint =
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `the columns are ${ownColumns(columns).join(', ')}`
  return `field "${field}" does not exist: ${hint}`
}

/** Columns with similar names, best first. */
function nearestColumns(field: string, columns: Columns, most = 3): string[] {
  const wanted = field.toLowerCase()
  return ownColumns(columns)
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 2)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name)
}

/** Edits from one word to the other; a word that is part of the other is near, however long the rest. */
function distance(a: string, b: string): number {
  if (a.length >= 3 && (b.includes(a) || a.includes(b))) return 1
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let at = 1; at <= b.length; at++) {
      const same = a[row - 1] === b[at - 1] ? 0 : 1
      current[at] = Math.min((previous[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, (previous[at - 1] ?? 0) + same)
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
