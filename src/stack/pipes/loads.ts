/**
 * Loads: statements that copy a batch from a source into a table, each exactly once although the process may be killed at
 * any moment.
 *
 * 1. The load is written down as under way, with what it takes, in the store (durably).
 * 2. The engine copies. Every row carries the number of its load.
 * 3. The load is written down as done, in the same transaction as what follows from it (a cursor that moves on).
 *
 * A load that is found under way at the next start did not get to 3: whatever it wrote is taken away by its number, and what
 * it took is free again for another load. Taking away twice does no harm, so a kill during that changes nothing either.
 */
import { randomInt } from 'node:crypto'
import type { Queries, Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine.ts'
import { literal, qualified } from './sql.ts'
import { loadColumn, type Target } from './target.ts'

export type LoadEngine = Pick<Engine, 'kind' | 'query' | 'command' | 'load'>

export interface LoadPlan {
  pipeId: string
  target: Target
  /** Files that the load takes; none for a load of a table's rows. */
  paths?: readonly string[]
  /** Bytes that the source sends, as far as they are known before. */
  bytes: number
  /** Part of the first copy of a database table. */
  initial?: boolean
  /** The statement, given the load's number, and the values of its placeholders. */
  statement(load: number): { sql: string; params: Record<string, string | readonly string[]> }
  /** What is written down together with the load's being done. */
  whenDone?(transaction: Queries): Promise<void>
}

/**
 * Copies a batch. Rejects when the engine cannot, or when the signal fired; nothing of the load is left then.
 * @returns rows that the table has of it
 */
export async function runLoad(store: Store, engine: LoadEngine, plan: LoadPlan, signal: AbortSignal): Promise<number> {
  // 2^48 numbers: one that was ever used on this table is not met again.
  const load = randomInt(1, 2 ** 48 - 1)
  await begin(store, load, plan)
  try {
    const { sql, params } = plan.statement(load)
    await engine.load(`${sql} /* ${marker(load)} */`, { params, signal })
    signal.throwIfAborted()
    const rows = await countRows(engine, plan.target, load)
    await store.write(async (transaction) => {
      await transaction.run("UPDATE pipe_loads SET state = 'done', rows = ? WHERE id = ?", [rows, load])
      await plan.whenDone?.(transaction)
    })
    return rows
  } catch (error) {
    await discard(store, engine, load, plan.target)
    throw error
  }
}

function begin(store: Store, load: number, { pipeId, target, paths = [], bytes, initial = false }: LoadPlan) {
  return store.write(async (transaction) => {
    await transaction.run(
      "INSERT INTO pipe_loads (id, pipe_id, target_database, target_table, state, bytes, initial) VALUES (?, ?, ?, ?, 'loading', ?, ?)",
      [load, pipeId, target.database, target.table, bytes, Number(initial)],
    )
    for (const path of paths) {
      await transaction.run(
        'INSERT INTO pipe_files (pipe_id, path, load_id) VALUES (?, ?, ?) ON CONFLICT (pipe_id, path) DO UPDATE SET load_id = excluded.load_id, error = NULL',
        [pipeId, path, load],
      )
    }
  })
}

function marker(load: number): string {
  return `pipe load ${load}`
}

async function countRows(engine: LoadEngine, target: Target, load: number): Promise<number> {
  const [row] = await engine.query<{ rows: string }>(
    `SELECT count() AS rows FROM ${qualified(target.database, target.table)} WHERE ${loadColumn} = {load:UInt64}`,
    { params: { load }, maxSeconds: 600 },
  )
  return Number(row?.rows ?? 0)
}

/** Takes everything of loads away that did not come to their end: at the start, before any pipe runs. */
export async function discardUnfinished(store: Store, engine: LoadEngine): Promise<void> {
  const rows = await store.rows("SELECT id, target_database, target_table FROM pipe_loads WHERE state = 'loading'")
  for (const row of rows) {
    const target = { database: String(row['target_database']), table: String(row['target_table']) }
    await discard(store, engine, Number(row['id']), target)
  }
}

async function discard(store: Store, engine: LoadEngine, load: number, target: Target): Promise<void> {
  // On a cluster the statement outlives this process. Joined in the engine: written out, this one would find itself.
  const found = `position(query, concat('pipe ', ${literal(marker(load).slice('pipe '.length))})) > 0`
  await engine.command(`KILL QUERY WHERE ${found} SYNC`)
  if (await hasRows(engine, target)) {
    await engine.command(
      `ALTER TABLE ${qualified(target.database, target.table)} DELETE WHERE ${loadColumn} = ${load} SETTINGS mutations_sync = 2`,
    )
  }
  await store.write(async (transaction) => {
    await transaction.run('DELETE FROM pipe_files WHERE load_id = ?', [load])
    await transaction.run('DELETE FROM pipe_loads WHERE id = ?', [load])
  })
}

/** False for a table that is gone, or that keeps nothing. */
async function hasRows(engine: LoadEngine, target: Target): Promise<boolean> {
  const [row] = await engine.query(
    "SELECT 1 FROM system.tables WHERE database = {database:String} AND name = {table:String} AND engine != 'Null'",
    { params: { ...target } },
  )
  return row !== undefined
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

export async function countError(queries: Queries, pipeId: string): Promise<void> {
  await queries.run(
    'INSERT INTO pipe_errors (pipe_id, errors) VALUES (?, 1) ON CONFLICT (pipe_id) DO UPDATE SET errors = errors + 1',
    [pipeId],
  )
}

export async function forgetFailedFiles(queries: Queries, pipeId: string): Promise<void> {
  await queries.run('DELETE FROM pipe_files WHERE pipe_id = ? AND error IS NOT NULL', [pipeId])
}

/** What is known of a pipe that is gone. Loads under way are kept: their rows are still to be taken away. */
export async function forgetPipe(queries: Queries, pipeId: string): Promise<void> {
  await queries.run("DELETE FROM pipe_loads WHERE pipe_id = ? AND state = 'done'", [pipeId])
  await queries.run('DELETE FROM pipe_files WHERE pipe_id = ?', [pipeId])
  await queries.run('DELETE FROM pipe_cursors WHERE pipe_id = ?', [pipeId])
  await queries.run('DELETE FROM pipe_errors WHERE pipe_id = ?', [pipeId])
}

export interface LoadTotals {
  rows: number
  bytes: number
  initialBytes: number
  errors: number
}

/** What a pipe has moved since it was made. */
export async function totalsOf(queries: Queries, pipeId: string): Promise<LoadTotals> {
  const [sums] = await queries.rows(
    "SELECT coalesce(sum(rows), 0) AS rows, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(bytes * initial), 0) AS initial FROM pipe_loads WHERE pipe_id = ? AND state = 'done'",
    [pipeId],
  )
  const [failed] = await queries.rows('SELECT errors FROM pipe_errors WHERE pipe_id = ?', [pipeId])
  return {
    rows: Number(sums?.['rows'] ?? 0),
    bytes: Number(sums?.['bytes'] ?? 0),
    initialBytes: Number(sums?.['initial'] ?? 0),
    errors: Number(failed?.['errors'] ?? 0),
  }
}
