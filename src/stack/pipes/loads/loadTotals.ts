/** The totals of pipes since their creation. Each load adds to them, so that reading them is always cheap. */
import type { Queries } from '../../store/store.ts'
import type { DestinationTable } from './destinationTable.ts'

export interface LoadTotals extends RecordCounts {
  rows: number
  /** As they came from the source, possibly compressed. */
  bytes: number
  /** Bad records, and whatever else went wrong, such as a source that could not be reached. */
  errors: number
  badRecords: number
}

/** Counts of a source of records; 0 for other sources. */
export interface RecordCounts {
  /** Records that were read, whether or not they became rows. */
  readRecords: number
  /** Uncompressed bytes of their values. */
  readBytes: number
  /** Uncompressed bytes of those that became rows. */
  sentBytes: number
}

/** Adds the totals of a load, in the transaction that completes it. */
export async function addToTotals(
  transaction: Queries,
  pipeId: string,
  target: DestinationTable,
  {
    rows,
    bytes,
    readRecords = 0,
    readBytes = 0,
    sentBytes = 0,
  }: { rows: number; bytes: number } & Partial<RecordCounts>,
): Promise<void> {
  await transaction.run(
    `INSERT INTO pipe_totals (pipe_id, target_database, target_table, rows, bytes, read_records, read_bytes, sent_bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (pipe_id, target_database, target_table) DO UPDATE SET
       rows = pipe_totals.rows + excluded.rows, bytes = pipe_totals.bytes + excluded.bytes,
       read_records = pipe_totals.read_records + excluded.read_records,
       read_bytes = pipe_totals.read_bytes + excluded.read_bytes,
       sent_bytes = pipe_totals.sent_bytes + excluded.sent_bytes`,
    [pipeId, target.database, target.table, rows, bytes, readRecords, readBytes, sentBytes],
  )
}

export const countError = (queries: Queries, pipeId: string) => addErrors(queries, pipeId, 1, 0)

/** Bad records count as errors. */
export const countBadRecords = (queries: Queries, pipeId: string, count: number) =>
  addErrors(queries, pipeId, count, count)

/** Bad records became rows after all. They remain errors, which only grow. */
export async function countResent(queries: Queries, pipeId: string, count: number): Promise<void> {
  await queries.run('UPDATE pipe_errors SET bad_records = bad_records - ? WHERE pipe_id = ? AND bad_records >= ?', [
    count,
    pipeId,
    count,
  ])
}

/** Adds nulls that were stored as the default of their column. @param counts by field */
export async function countNulls(queries: Queries, pipeId: string, counts: ReadonlyMap<string, number>): Promise<void> {
  for (const [field, count] of counts) {
    await queries.run(
      `INSERT INTO pipe_null_values (pipe_id, field, count) VALUES (?, ?, ?)
       ON CONFLICT (pipe_id, field) DO UPDATE SET count = pipe_null_values.count + excluded.count`,
      [pipeId, field, count],
    )
  }
}

/** The nulls that became defaults, by field, the most frequent first. */
export async function nullsOf(queries: Queries, pipeId: string): Promise<{ field: string; count: number }[]> {
  const rows = await queries.rows(
    'SELECT field, count FROM pipe_null_values WHERE pipe_id = ? ORDER BY count DESC, field',
    [pipeId],
  )
  return rows.map((row) => ({ field: String(row['field']), count: Number(row['count']) }))
}

/** A text that changes with each load of a pipe. */
export async function progressOf(queries: Queries, pipeId: string): Promise<string> {
  const { rows, readRecords, bytes, badRecords } = await totalsOf(queries, pipeId)
  return [rows, readRecords, bytes, badRecords].join(' ')
}

async function addErrors(queries: Queries, pipeId: string, errors: number, badRecords: number): Promise<void> {
  await queries.run(
    `INSERT INTO pipe_errors (pipe_id, errors, bad_records) VALUES (?, ?, ?) ON CONFLICT (pipe_id) DO UPDATE SET
       errors = pipe_errors.errors + excluded.errors, bad_records = pipe_errors.bad_records + excluded.bad_records`,
    [pipeId, errors, badRecords],
  )
}

/** The totals of a pipe since its creation. */
export async function totalsOf(queries: Queries, pipeId: string): Promise<LoadTotals> {
  const [sums] = await queries.rows(
    `SELECT coalesce(sum(rows), 0) AS rows, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(read_records), 0) AS read_records,
       coalesce(sum(read_bytes), 0) AS read_bytes, coalesce(sum(sent_bytes), 0) AS sent_bytes
     FROM pipe_totals WHERE pipe_id = ?`,
    [pipeId],
  )
  const [failed] = await queries.rows('SELECT errors, bad_records FROM pipe_errors WHERE pipe_id = ?', [pipeId])
  return {
    rows: Number(sums?.['rows'] ?? 0),
    bytes: Number(sums?.['bytes'] ?? 0),
    readRecords: Number(sums?.['read_records'] ?? 0),
    readBytes: Number(sums?.['read_bytes'] ?? 0),
    sentBytes: Number(sums?.['sent_bytes'] ?? 0),
    errors: Number(failed?.['errors'] ?? 0),
    badRecords: Number(failed?.['bad_records'] ?? 0),
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
  await transaction.run('DELETE FROM pipe_null_values WHERE pipe_id = ?', [pipeId])
}
