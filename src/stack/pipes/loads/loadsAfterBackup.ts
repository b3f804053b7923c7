/** Loads that the records do not know, because they are older than the engine's tables: both come from a backup. */
import type { Statements } from '#node/database/statements.ts'
import { loadColumn } from './destinationTable.ts'
import { deleteRows, type LoadEngine } from './loads.ts'

/**
 * Deletes the rows of loads that began after the records were saved. Their pipes load them again, with the same numbers.
 * Call this while no pipe runs.
 */
export async function deleteLoadsAfterBackup(records: Pick<Statements, 'rows'>, engine: LoadEngine): Promise<void> {
  const ranges = await records.rows('SELECT first, size, used FROM pipe_load_ranges WHERE used < size')
  if (ranges.length === 0) return
  const later = ranges.map(({ first, size, used }) => {
    const begin = Number(first) + Number(used)
    return `${loadColumn} BETWEEN ${begin} AND ${Number(first) + Number(size) - 1}`
  })
  const tables = await engine.query<{ database: string; table: string }>(
    'SELECT database, table FROM system.columns WHERE name = {column:String}',
    { params: { column: loadColumn } },
  )
  for (const target of tables) await deleteRows(engine, target, later.join(' OR '))
}
