/**
 * Copies rows of a table by ranges of its growing key: first the initial load with several ranges at a time, then new rows.
 *
 * A row may become visible after one with a higher key. So the highest key is read first. Then the pipe waits until every
 * transaction that was writing to the table at that time has ended, and fetches everything up to that key.
 */
import type { Queries } from '../../store/store.ts'
import { forEachConcurrently } from './concurrency.ts'
import { runLoad } from '../loads/loads.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import { batchSize, postgresSettings, type PostgresRun } from './postgresRun.ts'
import { writersOf, type SourceTable } from './postgresTables.ts'
import { identifier, qualified } from '../loads/sqlNames.ts'
import { loadColumn } from '../loads/destinationTable.ts'

const checkWritersMs = 200
/** The maximum number of ranges of a table. Keys may have gaps. */
const maxRanges = 1000
/** The default of `initialLoadParallelism`: ranges of a table that are copied at a time. */
const defaultParallelism = 4

/** Keys above `from`, up to `to`. */
interface Bounds {
  from: bigint
  to: bigint
}

/** The ranges of an initial load. They stay the same when it continues after a stop. */
interface Plan extends Bounds {
  step: bigint
}

const copiedMark = (table: SourceTable) => `${table.name} copied`
const planMark = (table: SourceTable) => `plan ${table.name}`
/** A suffix that no name has, so that parts of one table are not mistaken for those of another. */
const partPrefix = (table: SourceTable) => `part ${table.name}\n`

export async function isCopied({ parts, cursors }: PostgresRun, table: SourceTable): Promise<boolean> {
  return (await cursors.get(parts.store, copiedMark(table))) !== null
}

/** Runs or continues the initial load. @param progress called with the finished ranges and all ranges */
export async function copyTable(
  run: PostgresRun,
  table: SourceTable,
  progress: (done: number, all: number) => Promise<void>,
): Promise<void> {
  const { parts, cursors, pipe } = run
  const copied = (transaction: Queries) => cursors.set(transaction, copiedMark(table), 'yes')
  if (table.growingKey === null) return loadRows(run, table, null, copied)
  const plan = await planOf(run, table, table.growingKey)
  if (plan) {
    const ranges = rangesOf(plan)
    const finished = await cursors.below(parts.store, partPrefix(table))
    const left = [...ranges.entries()].filter(([at]) => !finished.has(String(at)))
    let done = ranges.length - left.length
    await forEachConcurrently(
      postgresSettings(pipe).initialLoadParallelism ?? defaultParallelism,
      left,
      async ([at, range]) => {
        await loadRows(run, table, range, (transaction) => cursors.set(transaction, `${partPrefix(table)}${at}`, 'yes'))
        await progress(++done, ranges.length)
      },
    )
  }
  await parts.store.write(async (transaction) => {
    await cursors.removeBelow(transaction, partPrefix(table))
    await cursors.removeBelow(transaction, planMark(table))
    if (plan) await cursors.set(transaction, table.name, String(plan.to))
    await copied(transaction)
  })
}

/** Skips the existing rows: only new rows are copied. */
export async function skipTable(run: PostgresRun, table: SourceTable): Promise<void> {
  const { parts, cursors } = run
  const bounds = table.growingKey === null ? null : await keysAfter(run, table, table.growingKey, null)
  await parts.store.write(async (transaction) => {
    if (bounds) await cursors.set(transaction, table.name, String(bounds.to))
    await cursors.set(transaction, copiedMark(table), 'yes')
  })
}

/** Copies rows with a key above the highest copied one. */
export async function fetchNewRows(run: PostgresRun, table: SourceTable, key: string): Promise<void> {
  const { parts, cursors, pipe } = run
  const bounds = await keysAfter(run, table, key, await cursors.get(parts.store, table.name))
  if (!bounds) return
  for (const range of rangesOf({ ...bounds, step: stepOf(bounds, batchSize(pipe)) })) {
    await loadRows(run, table, range, (transaction) => cursors.set(transaction, table.name, String(range.to)))
  }
}

async function planOf(run: PostgresRun, table: SourceTable, key: string): Promise<Plan | null> {
  const { parts, cursors, pipe } = run
  const [from, to, step] = (await cursors.get(parts.store, planMark(table)))?.split(' ').map(BigInt) ?? []
  if (from !== undefined && to !== undefined && step !== undefined) return { from, to, step }
  const bounds = await keysAfter(run, table, key, null)
  if (!bounds) return null
  const plan = { ...bounds, step: stepOf(bounds, postgresSettings(pipe).snapshotNumRowsPerPartition ?? 100_000) }
  const stored = [plan.from, plan.to, plan.step].join(' ')
  await parts.store.write((transaction) => cursors.set(transaction, planMark(table), stored))
  return plan
}

/** The number of keys in one range: the wanted rows, or more if there would be too many ranges. */
function stepOf({ from, to }: Bounds, rows: number): bigint {
  const wide = (to - from) / BigInt(maxRanges) + 1n
  return wide > BigInt(rows) ? wide : BigInt(rows)
}

/** Adjacent ranges that contain every key within the bounds once. */
export function rangesOf({ from, to, step }: Plan): Bounds[] {
  const ranges: Bounds[] = []
  for (let after = from; after < to; after += step)
    ranges.push({ from: after, to: after + step < to ? after + step : to })
  return ranges
}

/** The keys of rows above the cursor, or null. Every row up to `to` is visible. */
async function keysAfter(
  run: PostgresRun,
  table: SourceTable,
  key: string,
  cursor: string | null,
): Promise<Bounds | null> {
  const { parts, server, signal } = run
  const { call, params } = server.table(table.mapping.sourceSchemaName, table.mapping.sourceTable)
  const column = identifier(key)
  const [row] = await parts.engine.query<{ least: string; most: string; rows: string }>(
    `SELECT min(${column}) AS least, max(${column}) AS most, count() AS rows FROM ${call} ${cursor === null ? '' : `WHERE ${column} > {cursor:Int64}`}`,
    { params: { ...params, ...(cursor !== null && { cursor }) }, signal, maxSeconds: 600 },
  )
  if (!row || Number(row.rows) === 0) return null
  const writers = await writersOf(server, table)
  const anyLeft = async () => {
    const now = await writersOf(server, table)
    return [...writers].some((writer) => now.has(writer))
  }
  while (writers.size > 0 && (await anyLeft())) await abortableSleep(checkWritersMs, signal)
  // A row that was not visible may have a lower key than the lowest visible one.
  return { from: cursor === null ? BigInt(row.least) - 1n : BigInt(cursor), to: BigInt(row.most) }
}

/** One load: the rows of a range of the growing key, or all rows. */
async function loadRows(
  { parts, pipe, server, signal }: PostgresRun,
  table: SourceTable,
  range: Bounds | null,
  whenDone: (transaction: Queries) => Promise<void>,
): Promise<void> {
  const { target } = table
  const { call, params } = server.table(table.mapping.sourceSchemaName, table.mapping.sourceTable)
  const names = table.columns.map((column) => identifier(column.name)).join(', ')
  const key = table.growingKey && identifier(table.growingKey)
  const where = range && key ? `WHERE ${key} > {after:Int64} AND ${key} <= {up_to:Int64}` : ''
  const statement = (load: number) => ({
    sql: `INSERT INTO ${qualified(target.database, target.table)} (${names}, ${loadColumn})
      SELECT ${names}, ${load} FROM ${call} ${where}
      SETTINGS insert_allow_materialized_columns = 1, insert_null_as_default = 1`,
    params: { ...params, ...(range && { after: String(range.from), up_to: String(range.to) }) },
  })
  await runLoad(parts, { pipeId: pipe.id, target, bytes: 0, statement, whenDone }, signal)
}
