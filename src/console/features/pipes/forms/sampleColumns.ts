/** Detects columns from a sample: a JSON record, or the header line of a CSV or TSV file. */
import type { ColumnRow } from './pipeForm.ts'

/** @returns the columns, or null if the text is neither */
export function sampleColumns(sample: string): ColumnRow[] | null {
  const text = sample.trim()
  if (text.startsWith('{')) return recordColumns(text)
  const [line = ''] = text.split(/\r?\n/)
  const names = line.split(/[,\t;]/).map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
  if (names.some((name) => name === '') || new Set(names).size < names.length) return null
  return names.map((name) => ({ source: name, name: columnName(name), type: 'String' }))
}

/** The columns of the first record. */
function recordColumns(text: string): ColumnRow[] | null {
  const record = parseRecord(text) ?? parseRecord(text.split(/\r?\n/)[0] ?? '')
  if (!record) return null
  return Object.entries(record).map(([name, value]) => ({ source: name, name: columnName(name), type: typeOf(value) }))
}

function parseRecord(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? value : null
  } catch {
    return null
  }
}

/** `user.id` -> `user_id`: a name that needs no quotes. */
export const columnName = (name: string) => name.replaceAll(/\W+/g, '_').replace(/^(?=\d)/, '_')

const moment = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/

/** A type that fits the value and likely later ones. String if in doubt. */
function typeOf(value: unknown): string {
  if (typeof value === 'boolean') return 'Bool'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int64' : 'Float64'
  if (typeof value === 'string') return moment.test(value) ? 'DateTime64(3)' : 'String'
  if (Array.isArray(value) && value.length > 0) {
    const [first, ...others] = [...new Set(value.map(typeOf))]
    return others.length === 0 ? `Array(${first})` : 'String'
  }
  return 'String'
}
