/**
 * Loads: statements that copy a batch from a source into a table, each exactly once although the process may be killed at
 * any moment.
 *
 * 1. The load is written down as under way, with what it takes, in the store (durably).
 * 2. The engine copies. Every row carries the number of its load.
 * 3. The load is struck off and its rows are added to the pipe's sums, in the same transaction as what follows from its being
 *    done (a cursor that moves on).
 *
 * A load that is found written down at the next start did not get to 3: whatever it wrote is taken away by its number, and
 * what it took is free again for another load. Taking away twice does no harm, so a kill during that changes nothing either.
 */
import type { Queries, Store } from '../../store/store.ts'
import type { Engine } from '../../telemetry/engine.ts'
import { deleteLoadNumbers, nextLoadNumber } from './loadNumbers.ts'
import { addToTotals, countError, deleteTotals } from './loadTotals.ts'
import { qualified } from './sqlNames.ts'
import { loadColumn, type DestinationTable } from './destinationTable.ts'
import { loadMark, type UsageMeter } from '../model/pipeUsage.ts'

export type LoadEngine = Pick<Engine, 'kind' | 'query' | 'command' | 'load'>

/** What loads are made with. */
export interface LoadParts {
  store: Store
  engine: LoadEngine
  meter: UsageMeter
}

export interface LoadPlan {
  pipeId: string
  target: DestinationTable
  /** Files that the load takes; none for a load of a table's rows. */
  paths?: readonly string[]
  /** Bytes that the source sends, as far as they are known before. */
  bytes: number
  /** The statement, given the load's number, and the values of its placeholders. */
  statement(load: number): { sql: string; params: Record<string, string | readonly string[]> }
  /** What is written down together with the load's being done. */
  whenDone?(transaction: Queries): Promise<void>
}

/**
 * Copies a batch. Rejects when the engine cannot, or when the signal fired; nothing of the load is left then.
 * @returns rows that the table has of it
 */
export async function runLoad(parts: LoadParts, plan: LoadPlan, signal: AbortSignal): Promise<number> {
  const { store, engine, meter } = parts
  const load = await begin(store, plan)
  const measured = meter.begin(plan.pipeId, marker(load))
  try {
    const { sql, params } = plan.statement(load)
    await engine.load(sql, { params, signal, mark: marker(load) })
    signal.throwIfAborted()
    const rows = await countRows(engine, plan.target, load)
    await store.write(async (transaction) => {
      await transaction.run('DELETE FROM pipe_loads WHERE id = ?', [load])
      await addToTotals(transaction, plan.pipeId, plan.target, { rows, bytes: plan.bytes })
      await plan.whenDone?.(transaction)
    })
    return rows
  } catch (error) {
    await discard(store, engine, load, plan.target)
    throw error
  } finally {
    measured.end()
  }
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

/** The words beside a load in the engine's list of statements. */
function marker(load: number): string {
  return `${loadMark} ${load}`
}

async function countRows(engine: LoadEngine, target: DestinationTable, load: number): Promise<number> {
  const [row] = await engine.query<{ rows: string }>(
    `SELECT count() AS rows FROM ${qualified(target.database, target.table)} WHERE ${loadColumn} = {load:UInt64}`,
    { params: { load }, maxSeconds: 600 },
  )
  return Number(row?.rows ?? 0)
}

/** Takes everything of loads away that did not come to their end: at the start, before any pipe runs. */
export async function discardUnfinished(store: Store, engine: LoadEngine): Promise<void> {
  const rows = await store.rows('SELECT id, target_database, target_table FROM pipe_loads')
  for (const row of rows) {
    const target = { database: String(row['target_database']), table: String(row['target_table']) }
    await discard(store, engine, Number(row['id']), target)
  }
}

async function discard(store: Store, engine: LoadEngine, load: number, target: DestinationTable): Promise<void> {
  // On a cluster the statement outlives this process.
  await engine.command("KILL QUERY WHERE Settings['log_comment'] = {mark:String} SYNC", {
    params: { mark: marker(load) },
  })
  await deleteRows(engine, target, `${loadColumn} = ${load}`)
  await store.write(async (transaction) => {
    await transaction.run('DELETE FROM pipe_files WHERE load_id = ?', [load])
    await transaction.run('DELETE FROM pipe_loads WHERE id = ?', [load])
  })
}

/** Takes rows away for good. A table that is gone, or that keeps nothing, has none. */
export async function deleteRows(engine: LoadEngine, target: DestinationTable, condition: string): Promise<void> {
  const [table] = await engine.query(
    "SELECT 1 FROM system.tables WHERE database = {database:String} AND name = {table:String} AND engine != 'Null'",
    { params: { ...target } },
  )
  if (!table) return
  await engine.command(
    `ALTER TABLE ${qualified(target.database, target.table)} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`,
  )
}

/** Writes down that a file cannot be read, so that it is left alone until the pipe is started anew. */
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

/** What is known of a pipe that is gone. Loads under way are kept: their rows are still to be taken away. */
export async function deletePipeLoads(queries: Queries, pipeId: string): Promise<void> {
  await queries.run('DELETE FROM pipe_files WHERE pipe_id = ?', [pipeId])
  await queries.run('DELETE FROM pipe_cursors WHERE pipe_id = ?', [pipeId])
  await deleteLoadNumbers(queries, pipeId)
  await deleteTotals(queries, pipeId)
}
