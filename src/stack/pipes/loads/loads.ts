/**
 * Loads: statements that copy a batch from a source into a table exactly once, even if the process is killed.
 *
 *
 * 1. The load is stored as running, with its files.
 * 2. The engine copies. Every row has the number of its load.
 * 3. One transaction deletes the stored load, adds its rows to the pipe's totals, and stores what follows from it, such as
 *    a moved cursor.
 *
 * A load of a pipe that nobody runs is incomplete: its rows are deleted by their number, and its files are free for another
 * load. Deleting twice is harmless, so the process may be killed during that too.
 *
 * Of several stacks, the one with the lease of the pipe does this. The store refuses the writes of any other, and the
 * engine gets no statements of it (`leasedEngine`).
 */
import type { Queries, Store } from '../../store/store.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { killStatement } from '../../telemetry/engine/dialect.ts'
import type { SentRows } from '../../telemetry/engine/engineDriver.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import { countStored, mutateRows } from '../../telemetry/engine/storedRows.ts'
import { deleteLoadNumbers, nextLoadNumber } from './loadNumbers.ts'
import { addToTotals, countError, deleteTotals, type RecordCounts } from './loadTotals.ts'
import { literal } from './sqlNames.ts'
import { loadColumn, type DestinationTable } from './destinationTable.ts'
import { loadMark, type UsageMeter } from '../model/pipeUsage.ts'

export type LoadEngine = Pick<
  Engine,
  'identity' | 'kind' | 'dialect' | 'database' | 'query' | 'command' | 'load' | 'loadRows' | 'insert'
>

/** The dependencies of loads. */
export interface LoadDependencies {
  store: Store
  engine: LoadEngine
  meter: UsageMeter
}

export interface LoadPlan {
  pipeId: string
  target: DestinationTable
  /** The files of the load; none for a load of table rows. */
  paths?: readonly string[]
  /** Bytes of the source, if known in advance. */
  bytes: number
  /** Rows that are sent with the statement. */
  rows?: SentRows
  /** The expression that turns the sent rows into the rows of a load. Default: the function itself. */
  rowsFrom?(source: string): string
  /** The number of rows that must come of those that are sent. Default: any. */
  expectedRows?: number
  /** Counts of a source of records. */
  records?: RecordCounts
  /**
   * Creates the statement and its parameters from the number of the load.
   * @param source the table function that reads the sent rows; empty without them
   */
  statement(load: number, source: string): { sql: string; params: Record<string, string | readonly string[]> }
  /** Further writes in the transaction that completes the load. */
  whenDone?(transaction: Queries): Promise<void>
  /** Resolves once the load may be completed: another one comes first. If it rejects, nothing of the load is left. */
  turn?(): Promise<void>
}

/** The rows of a load do not correspond to its records. Nothing of the load is left. */
export class RowCountMismatch extends Error {
  override name = 'RowCountMismatch'
}

export interface LoadResult {
  /** The number of its rows in the table. */
  rows: number
  /** How long the engine worked on the statement; 0 if it was not measured. */
  engineMs: number
}

/**
 * Copies a batch. Rejects if the engine fails or the signal fires; then nothing of the load is left.
 * @throws RowCountMismatch if other rows than the expected ones come of it
 */
export async function runLoad(parts: LoadDependencies, plan: LoadPlan, signal: AbortSignal): Promise<LoadResult> {
  const { store, engine, meter } = parts
  const load = await begin(store, plan)
  const measured = meter.begin(plan.pipeId, marker(load))
  try {
    const counted = countsInStatement(engine) ? plan.expectedRows : undefined
    const engineMs = await copy(engine, plan, load, counted, signal)
    signal.throwIfAborted()
    const rows = counted ?? (await countStored(engine, plan.target, `${loadColumn} = ${load}`))
    if (rows !== (plan.expectedRows ?? rows)) throw new RowCountMismatch(mismatch)
    await plan.turn?.()
    await store.write(async (transaction) => {
      await transaction.run('DELETE FROM pipe_loads WHERE id = ?', [load])
      await addToTotals(transaction, plan.pipeId, plan.target, { rows, bytes: plan.bytes, ...plan.records })
      await plan.whenDone?.(transaction)
    })
    return { rows, engineMs }
  } catch (error) {
    await discard(store, engine, load, plan.target)
    throw error
  } finally {
    measured.end()
  }
}

/** @param counted the rows that the statement must read; undefined if it does not count them */
async function copy(
  engine: LoadEngine,
  plan: LoadPlan,
  load: number,
  counted: number | undefined,
  signal: AbortSignal,
): Promise<number> {
  const options = { params: plan.statement(load, '').params, signal, mark: marker(load) }
  if (!plan.rows) {
    await engine.load(plan.statement(load, '').sql, options)
    return 0
  }
  // Inside of the count, which holds all rows: they are smaller than what was read.
  const sql = (source: string) => plan.statement(load, countedRows(plan.rowsFrom?.(source) ?? source, counted)).sql
  return engine.loadRows(plan.rows, sql, options).catch((error: unknown) => {
    const isMismatch = error instanceof EngineError && error.code === 395 && error.message.includes(mismatch)
    throw isMismatch ? new RowCountMismatch(mismatch, { cause: error }) : error
  })
}

const mismatch = 'the rows are not those of the records'

/**
 * Whether the statement itself counts its rows, which is cheaper than to search the table for them. It would not notice that
 * it got no row at all: the embedded engine reads a file that is known to have some, but a server is sent them.
 */
const countsInStatement = ({ kind }: LoadEngine) => kind === 'embedded'

/** A source that fails unless it has as many rows. */
function countedRows(source: string, expected: number | undefined): string {
  if (expected === undefined) return source
  const count = `${loadColumn}_rows`
  return `(SELECT * FROM (SELECT *, count() OVER () AS ${count} FROM ${source}) WHERE throwIf(${count} != ${expected}, ${literal(mismatch)}) = 0)`
}

function begin(store: Store, { pipeId, target, paths = [], bytes }: LoadPlan): Promise<number> {
  return store.write(async (transaction) => {
    const load = await nextLoadNumber(transaction, pipeId)
    await transaction.run(
      'INSERT INTO pipe_loads (id, pipe_id, target_database, target_table, bytes) VALUES (?, ?, ?, ?, ?)',
      [load, pipeId, target.database, target.table, bytes],
    )
    for (const path of paths) {
      await transaction.run(
        'INSERT INTO pipe_files (pipe_id, path, load_id) VALUES (?, ?, ?) ON CONFLICT (pipe_id, path) DO UPDATE SET load_id = excluded.load_id, error = NULL',
        [pipeId, path, load],
      )
    }
    return load
  })
}

/** The `log_comment` of a load. */
function marker(load: number): string {
  return `${loadMark} ${load}`
}

/** The pipes that have incomplete loads, unless they are running. */
export async function pipesWithLoads(queries: Queries): Promise<string[]> {
  const rows = await queries.rows('SELECT DISTINCT pipe_id FROM pipe_loads')
  return rows.map((row) => String(row['pipe_id']))
}

/** Deletes the rows of a pipe's incomplete loads. Call this while nobody runs the pipe. */
export async function discardUnfinished(store: Store, engine: LoadEngine, pipeId: string): Promise<void> {
  const rows = await store.rows('SELECT id, target_database, target_table FROM pipe_loads WHERE pipe_id = ?', [pipeId])
  for (const row of rows) {
    const target = { database: String(row['target_database']), table: String(row['target_table']) }
    await discard(store, engine, Number(row['id']), target)
  }
}

async function discard(store: Store, engine: LoadEngine, load: number, target: DestinationTable): Promise<void> {
  // On a server, the statement may still run after this process was killed.
  await engine.command(killStatement(engine.dialect, 'SYNC'), { params: { mark: marker(load) } })
  await deleteRows(engine, target, `${loadColumn} = ${load}`)
  await store.write(async (transaction) => {
    await transaction.run('DELETE FROM pipe_files WHERE load_id = ?', [load])
    await transaction.run('DELETE FROM pipe_loads WHERE id = ?', [load])
  })
}

/** Deletes rows. A missing table, or one without storage, has none. */
export async function deleteRows(engine: LoadEngine, target: DestinationTable, condition: string): Promise<void> {
  const [table] = await engine.query(
    "SELECT 1 FROM system.tables WHERE database = {database:String} AND name = {table:String} AND engine != 'Null'",
    { params: { ...target } },
  )
  if (table) await mutateRows(engine, target, 'DELETE', condition)
}

/** Stores that a file cannot be read, so that it is skipped until the pipe is restarted. */
export function failFile(store: Store, pipeId: string, path: string, error: string): Promise<void> {
  return store.write(async (transaction) => {
    await transaction.run(
      'INSERT INTO pipe_files (pipe_id, path, load_id, error) VALUES (?, ?, 0, ?) ON CONFLICT (pipe_id, path) DO UPDATE SET load_id = 0, error = excluded.error',
      [pipeId, path, error],
    )
    await countError(transaction, pipeId)
  })
}

export async function deleteFailedFiles(queries: Queries, pipeId: string): Promise<void> {
  await queries.run('DELETE FROM pipe_files WHERE pipe_id = ? AND error IS NOT NULL', [pipeId])
}

/** Deletes the state of a deleted pipe, except running loads, whose rows must still be deleted. */
export async function deletePipeLoads(queries: Queries, pipeId: string): Promise<void> {
  await queries.run('DELETE FROM pipe_files WHERE pipe_id = ?', [pipeId])
  await queries.run('DELETE FROM pipe_cursors WHERE pipe_id = ?', [pipeId])
  await deleteLoadNumbers(queries, pipeId)
  await deleteTotals(queries, pipeId)
}
