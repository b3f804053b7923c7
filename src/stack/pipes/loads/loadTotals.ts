/** The totals of pipes since their creation. Each load adds to them, so that reading them is always cheap. */
import type { Queries } from '../../store/store.ts'
import type { DestinationTable } from './destinationTable.ts'

export interface LoadTotals {
  rows: number
  bytes: number
  errors: number
}

/** Adds the totals of a load, in the transaction that completes it. */
export async function addToTotals(
  transaction: Queries,
  pipeId: string,
  target: DestinationTable,
  moved: { rows: number; bytes: number },
): Promise<void> {
  await transaction.run(
    `INSERT INTO pipe_totals (pipe_id, target_database, target_table, rows, bytes) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (pipe_id, target_database, target_table) 
       DO UPDATE SET rows = pipe_totals.rows + excluded.rows, bytes = pipe_totals.bytes + excluded.bytes`,
    [pipeId, target.database, target.table, moved.rows, moved.bytes],
  )
}

export async function countError(queries: Queries, pipeId: string): Promise<void> {
  await queries.run(
    'INSERT INTO pipe_errors (pipe_id, errors) VALUES (?, 1) ON CONFLICT (pipe_id) DO UPDATE SET errors = pipe_errors.errors + 1',
    [pipeId],
  )
}

/** The totals of a pipe since its creation. */
export async function totalsOf(queries: Queries, pipeId: string): Promise<LoadTotals> {
  const [sums] = await queries.rows(
    'SELECT coalesce(sum(rows), 0) AS rows, coalesce(sum(bytes), 0) AS bytes FROM pipe_totals WHERE pipe_id = ?',
    [pipeId],
  )
  const [failed] = await queries.rows('SELECT errors FROM pipe_errors WHERE pipe_id = ?', [pipeId])
  return {
    rows: Number(sums?.['rows'] ?? 0),
    bytes: Number(sums?.['bytes'] ?? 0),
    errors: Number(failed?.['errors'] ?? 0),
  }
}

/** All tables that a pipe has written to. */
export async function targetsOf(queries: Queries, pipeId: string): Promise<DestinationTable[]> {
  const rows = await queries.rows('SELECT target_database, target_table FROM pipe_totals WHERE pipe_id = ?', [pipeId])
  return rows.map((row) => ({ database: String(row['target_database']), table: String(row['target_table']) }))
}

export async function deleteTotals(transaction: Queries, pipeId: string): Promise<void> {
  await transaction.run('DELETE FROM pipe_totals WHERE pipe_id = ?', [pipeId])
  await transaction.run('DELETE FROM pipe_errors WHERE pipe_id = ?', [pipeId])
}
