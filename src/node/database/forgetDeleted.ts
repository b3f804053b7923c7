/** Damaged rows that are known are forgotten once they were deleted, by whatever statement or person. */
import type { DamagedRow, DamagedRows } from './damagedRows.ts'
import type { Row, Statements } from './statements.ts'

/** Rows of one query. */
const batch = 100

interface Known {
  damaged: DamagedRows
  rows: Statements['rows']
  /** The columns whose values identify a row. */
  keyOf: (table: string) => readonly string[]
}

/** Forgets the damaged rows that are not stored any more. */
export async function forgetDeleted({ damaged, rows, keyOf }: Known): Promise<void> {
  const all = damaged.all()
  for (const table of new Set(all.map((one) => one.table))) {
    const known = all.filter((one) => one.table === table)
    for (let from = 0; from < known.length; from += batch) {
      const some = known.slice(from, from + batch)
      const stored = await storedOf({ table, columns: keyOf(table) }, some, rows)
      for (const { id, key } of some) if (!stored.has(nameOf(key))) damaged.forget(table, id)
    }
  }
}

async function storedOf(
  { table, columns }: { table: string; columns: readonly string[] },
  some: readonly DamagedRow[],
  rows: Statements['rows'],
): Promise<ReadonlySet<string>> {
  const isOne = `(${columns.map((column) => `${column} = ?`).join(' AND ')})`
  const found = await rows(
    `SELECT ${columns.join(', ')} FROM ${table} WHERE ${some.map(() => isOne).join(' OR ')}`,
    some.flatMap(({ key }) => [...key]),
  )
  return new Set(found.map((row: Row) => nameOf(columns.map((column) => row[column]))))
}

/** A server returns large numbers as texts. */
const nameOf = (key: readonly unknown[]) => JSON.stringify(key.map(String))
