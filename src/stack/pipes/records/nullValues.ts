/**
 * Nulls of records for columns that have none. The engine stores the default of the column in their place, so they are counted,
 * or make their record a bad one.
 */
import type { MappedField } from '../loads/fieldMapping.ts'
import { columnType, hasNull } from '../values/columnType.ts'
import type { RecordBuffer } from './recordBuffer.ts'

const nullBytes = Buffer.from('null')

/** Finds the fields of a record that are null although a column of theirs has no null. */
type NullFinder = (json: Buffer) => readonly string[]

export function nullFinder(fields: readonly MappedField[]): NullFinder {
  const names = [...new Set(fields.filter(({ type }) => !hasNull(columnType(type))).map(({ source }) => source))]
  if (names.length === 0) return () => []
  const written = names.map((name) => JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const likely = new RegExp(`(?:${written.join('|')})\\s*:\\s*null`)
  return (json) => {
    if (!json.includes(nullBytes)) return []
    const text = json.toString()
    // A name may be written with escapes.
    if (!likely.test(text) && !text.includes('\\')) return []
    const record = parsed(text)
    return names.filter((name) => Object.hasOwn(record, name) && record[name] === null)
  }
}

/** The nulls of the rows of a batch, by field. */
export function countedNulls(batch: RecordBuffer, nullsIn: NullFinder): Map<string, number> {
  const counts = new Map<string, number>()
  // Mostly there is none at all.
  if (!batch.lines().some((lines) => lines.includes(nullBytes))) return counts
  for (let row = 0; row < batch.rows; row++) {
    for (const field of nullsIn(batch.line(row))) counts.set(field, (counts.get(field) ?? 0) + 1)
  }
  return counts
}

/** Moves the records to the bad ones that have such a null. */
export function separateNulls(batch: RecordBuffer, nullsIn: NullFinder): void {
  const reasons = new Map<number, string>()
  for (let row = 0; row < batch.rows; row++) {
    const [field] = nullsIn(batch.line(row))
    if (field !== undefined) reasons.set(row, `${field}: null, and its column is neither Nullable nor has a DEFAULT`)
  }
  batch.exclude(reasons)
}

/** An object without fields for what is no JSON: others find that out. */
function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // its names are checked
  } catch {
    return {}
  }
}
