/**
 * Copies rows of a table in the order of its key: first the initial load, of ranges of a growing key with several at a time,
 * then new rows. Where it is, is stored with each load, so a copy that was interrupted goes on from there.
 *
 * A row may become visible after one with a higher key. So the highest key is read first. Then the pipe waits until every
 * transaction that was writing to the table at that time has ended, and fetches everything up to that key.
 */
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { Queries } from '../../store/store.ts'
import { forEachConcurrently } from './concurrency.ts'
import { rowsOfPipe } from '../loads/loadNumbers.ts'
import { deleteRows } from '../loads/loads.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { DestinationTable } from '../loads/destinationTable.ts'
import { batchSize, postgresSettings, type PostgresRun } from './postgresRun.ts'
import { jsonColumns, sourceName, typedLiteral, writersOf, type SourceTable } from './postgresTables.ts'
import { bytesOfRow, type JsonRow } from './rowBatch.ts'
import { placeOf, tableLoader } from './tableLoader.ts'

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
/** A part that was copied; one that was not has the last key that was. */
const finished = 'yes'

export async function isCopied({ parts, cursors }: PostgresRun, table: SourceTable): Promise<boolean> {
  return (await cursors.get(parts.store, copiedMark(table))) !== null
}

/** Where the copy goes, and who hears of its progress. */
export interface CopyPlan {
  target: DestinationTable
  /** Called with the finished ranges and all ranges. */
  progress(done: number, all: number): Promise<void>
}

/** Copies the rows of a table that are not copied yet. `markCopied` says that it is complete. */
export async function copyRows(run: PostgresRun, table: SourceTable, { target, progress }: CopyPlan): Promise<void> {
  const { parts, cursors, pipe } = run
  const known = await cursors.below(parts.store, partPrefix(table))
  if (table.growingKey === null) return copyInOrder(run, table, target, known.get('0') ?? null)
  const plan = await planOf(run, table, table.growingKey)
  if (!plan) return
  const ranges = rangesOf(plan)
  const left = [...ranges.entries()].filter(([at]) => known.get(String(at)) !== finished)
  let done = ranges.length - left.length
  const parallel = postgresSettings(pipe).initialLoadParallelism ?? defaultParallelism
  await forEachConcurrently(parallel, left, async ([at, { from, to }]) => {
    const mark = (transaction: Queries, key: string) => cursors.set(transaction, `${partPrefix(table)}${at}`, key)
    const last = known.get(String(at))
    await loadRows(run, table, target, { where: within(table, last ?? String(from), String(to)), mark })
    await parts.store.write((transaction) => mark(transaction, finished))
    await progress(++done, ranges.length)
  })
}

/** Stores that a table is copied, with what follows from it. */
export async function markCopied({ cursors }: PostgresRun, table: SourceTable, transaction: Queries): Promise<void> {
  const plan = parsedPlan(await cursors.get(transaction, planMark(table)))
  await cursors.removeBelow(transaction, partPrefix(table))
  await cursors.removeBelow(transaction, planMark(table))
  if (plan) await cursors.set(transaction, table.name, String(plan.to))
  await cursors.set(transaction, copiedMark(table), 'yes')
}

/** Forgets how far a table is copied: it is copied from its beginning. */
export async function markUncopied({ cursors }: PostgresRun, name: string, transaction: Queries): Promise<void> {
  const table = { name } as SourceTable // the marks only use its name
  await cursors.removeBelow(transaction, partPrefix(table))
  for (const mark of [planMark(table), name, copiedMark(table)]) await cursors.remove(transaction, mark)
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
  const mark = (transaction: Queries, last: string) => cursors.set(transaction, table.name, last)
  for (const { from, to } of rangesOf({ ...bounds, step: stepOf(bounds, batchSize(pipe)) })) {
    await loadRows(run, table, table.target, { where: within(table, String(from), String(to)), mark })
    await parts.store.write((transaction) => mark(transaction, String(to)))
  }
}

/** A table without a growing key: in the order of its key, or at once. */
async function copyInOrder(
  run: PostgresRun,
  table: SourceTable,
  target: DestinationTable,
  last: string | null,
): Promise<void> {
  const { parts, pipe, cursors } = run
  const { primaryKey } = table
  const mark = (transaction: Queries, key: string) => cursors.set(transaction, `${partPrefix(table)}0`, key)
  if (last === finished) return
  if (primaryKey.length === 0) {
    // Nothing says which rows an interrupted copy has.
    if (last !== null) {
      for (const condition of await rowsOfPipe(parts.store, pipe.id)) await deleteRows(parts.engine, target, condition)
    }
    await parts.store.write((transaction) => mark(transaction, 'begun'))
    await loadRows(run, table, target, { where: 'true', mark: async () => undefined })
  } else {
    const names = primaryKey.map(({ name }) => `t.${escapeIdentifier(name)}`)
    // Stored below.
    const values = last === null ? [] : (JSON.parse(last) as string[])
    const literals = primaryKey.map((column, at) => typedLiteral(column, values[at] ?? ''))
    const where = last === null ? 'true' : `(${names.join(', ')}) > (${literals.join(', ')})`
    await loadRows(run, table, target, { where, mark })
  }
  await parts.store.write((transaction) => mark(transaction, finished))
}

function parsedPlan(stored: string | null): Plan | null {
  const [from, to, step] = stored?.split(' ').map(BigInt) ?? []
  return from !== undefined && to !== undefined && step !== undefined ? { from, to, step } : null
}

async function planOf(run: PostgresRun, table: SourceTable, key: string): Promise<Plan | null> {
  const { parts, cursors, pipe } = run
  const known = parsedPlan(await cursors.get(parts.store, planMark(table)))
  if (known) return known
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
  const { server, signal } = run
  const column = escapeIdentifier(key)
  const [row] = await server.query<{ least: string | null; most: string | null }>(
    `SELECT min(${column}) AS least, max(${column}) AS most FROM ${sourceName(table)}
     ${cursor === null ? '' : `WHERE ${column} > ${escapeLiteral(cursor)}`}`,
    [],
    signal,
  )
  if (row?.least == null || row.most === null) return null
  const writers = await writersOf(server, table)
  const anyLeft = async () => {
    const now = await writersOf(server, table)
    return [...writers].some((writer) => now.has(writer))
  }
  while (writers.size > 0 && (await anyLeft())) await abortableSleep(checkWritersMs, signal)
  // A row that was not visible may have a lower key than the lowest visible one.
  return { from: cursor === null ? BigInt(row.least) - 1n : BigInt(cursor), to: BigInt(row.most) }
}

/** The condition for keys above one, up to another. */
function within({ growingKey }: SourceTable, after: string, upTo: string): string {
  const key = `t.${escapeIdentifier(growingKey ?? '')}`
  return `${key} > ${escapeLiteral(after)} AND ${key} <= ${escapeLiteral(upTo)}`
}

interface Selection {
  where: string
  /** Stores the key of the last row of a load: as it is of a growing key, else as a JSON list. */
  mark(transaction: Queries, lastKey: string): Promise<void>
}

/** Loads the rows of a selection in the order of their keys. */
async function loadRows(
  run: PostgresRun,
  table: SourceTable,
  target: DestinationTable,
  { where, mark }: Selection,
): Promise<void> {
  const { server, signal } = run
  const keys = table.primaryKey.map(({ name }) => `t.${escapeIdentifier(name)}`)
  const lastKey =
    table.growingKey === null ? `json_build_array(${keys.map((key) => `${key}::text`).join(', ')})` : keys[0]
  const select = `SELECT row_to_json(x)::text AS row, ${placeOf(table, 't')} AS place, ${lastKey}::text AS key
    FROM ${sourceName(table)} t, LATERAL (SELECT ${jsonColumns(table.columns, 't')}) x
    WHERE ${where} ${keys.length > 0 ? `ORDER BY ${keys.join(', ')}` : ''}`
  const loader = await tableLoader(run, table, target)
  let batch = loader.newBatch()
  let last = ''
  const flush = async () => {
    const key = last
    await loader.load(batch.records, (transaction) => mark(transaction, key), signal)
    batch = loader.newBatch()
  }
  for await (const rows of server.stream<JsonRow & { key: string }>(select, bytesOfRow, signal)) {
    for (const row of rows) {
      batch.add(row)
      last = row.key
      if (batch.isFull()) await flush()
    }
  }
  if (batch.records.rows + batch.records.badCount > 0) await flush()
}
