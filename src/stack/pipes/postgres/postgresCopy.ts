/**
 * Copies rows of a table in the order of its key: first the initial load, of ranges of a growing key with several at a time,
 * then new rows. Where it is, is stored with each load, so a copy that was interrupted goes on from there.
 */
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { Queries } from '../../store/store.ts'
import { forEachConcurrently } from '#node/concurrency/concurrencyLimits.ts'
import { rowsOfPipe } from '../loads/loadNumbers.ts'
import { deleteRows } from '../loads/loads.ts'
import { versionColumn, type DestinationTable } from '../loads/destinationTable.ts'
import { doneMark } from './applyChanges.ts'
import { keysAfter, newPlan, parsedPlan, planText, rangesOf, stepOf, type Plan } from './copyRanges.ts'
import { batchSize, postgresSettings, type PostgresRun } from './postgresRun.ts'
import {
  jsonColumns,
  quotedName,
  sourceName,
  typedLiteral,
  type SourceTable,
  type TablePart,
} from './source/postgresTables.ts'
import { untilWritersEnd } from './source/transactions.ts'
import { bytesOfRow, type JsonRow, placeOf, tableLoader, type TableLoader } from './tableLoader.ts'

/** The default of `initialLoadParallelism`: ranges of a table that are copied at a time. */
const defaultParallelism = 4

type Named = Pick<SourceTable, 'name'>

const copiedMark = (table: Named) => `${table.name} copied`
const planMark = (table: Named) => `plan ${table.name}`
/** A suffix that no name has, so that parts of one table are not mistaken for those of another. */
const partPrefix = (table: Named) => `part ${table.name}\n`
/** A part that was copied; one that was not has the last key that was. */
const finished = 'yes'

export async function isCopied(
  { parts, cursors }: PostgresRun,
  table: Named,
  queries: Queries = parts.store,
): Promise<boolean> {
  return (await cursors.get(queries, copiedMark(table))) !== null
}

/** Whether rows of a table have been copied, perhaps in part. */
export async function hasBegun(run: PostgresRun, table: Named, queries: Queries): Promise<boolean> {
  const { cursors } = run
  if (await isCopied(run, table, queries)) return true
  return (
    (await cursors.get(queries, planMark(table))) !== null || (await cursors.below(queries, partPrefix(table))).size > 0
  )
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
  const loader = await tableLoader(run, table, target)
  if (table.growingKey === null) return copyInOrder(run, table, loader, target, known.get('0') ?? null)
  const plan = await planOf(run, table, table.growingKey)
  if (!plan) return
  const ranges = rangesOf(plan)
  const left = [...ranges.entries()].filter(([at]) => known.get(String(at)) !== finished)
  let done = ranges.length - left.length
  const parallel = postgresSettings(pipe).initialLoadParallelism ?? defaultParallelism
  await forEachConcurrently(parallel, left, async ([at, { from, to }]) => {
    const mark = (transaction: Queries, key: string) => cursors.set(transaction, `${partPrefix(table)}${at}`, key)
    const last = known.get(String(at))
    await loadRows(run, table, loader, { where: keyRange(table, last ?? String(from), String(to)), mark })
    await parts.store.write((transaction) => mark(transaction, finished))
    await progress(++done, ranges.length)
  })
}

/** Stores that a table is copied, with what follows from it. */
export async function markCopied({ cursors }: PostgresRun, table: Named, transaction: Queries): Promise<void> {
  const plan = parsedPlan(await cursors.get(transaction, planMark(table)))
  await cursors.removeBelow(transaction, partPrefix(table))
  await cursors.remove(transaction, planMark(table))
  if (plan) await cursors.set(transaction, table.name, String(plan.to))
  await cursors.set(transaction, copiedMark(table), 'yes')
}

/** Forgets how far a table is copied, and how many of its changes are applied: it is copied from its beginning. */
export async function markUncopied({ cursors }: PostgresRun, table: Named, transaction: Queries): Promise<void> {
  await cursors.removeBelow(transaction, partPrefix(table))
  for (const mark of [planMark(table), table.name, copiedMark(table), doneMark(table.name)]) {
    await cursors.remove(transaction, mark)
  }
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
  const loader = await tableLoader(run, table)
  for (const { from, to } of rangesOf({ ...bounds, step: stepOf(bounds, batchSize(pipe)) })) {
    await loadRows(run, table, loader, { where: keyRange(table, String(from), String(to)), mark })
    await parts.store.write((transaction) => mark(transaction, String(to)))
  }
}

/** A table without a growing key: in the order of its key, or at once. */
async function copyInOrder(
  run: PostgresRun,
  table: SourceTable,
  loader: TableLoader,
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
    await loadRows(run, table, loader, { where: 'true', mark: async () => undefined })
  } else {
    const names = primaryKey.map(({ name }) => `t.${escapeIdentifier(name)}`)
    // Changes that were passed over before may not be visible yet.
    if (last === null) await untilWritersEnd(run, table)
    // Stored below.
    const values = last === null ? [] : (JSON.parse(last) as string[])
    const literals = primaryKey.map((column, at) => typedLiteral(column, values[at] ?? ''))
    const where = last === null ? 'true' : `(${names.join(', ')}) > (${literals.join(', ')})`
    await loadRows(run, table, loader, { where, mark })
  }
  await parts.store.write((transaction) => mark(transaction, finished))
}

async function planOf(run: PostgresRun, table: SourceTable, key: string): Promise<Plan | null> {
  const { parts, cursors, pipe } = run
  const known = parsedPlan(await cursors.get(parts.store, planMark(table)))
  if (known) return known
  const plan = await newPlan(run, table, key, postgresSettings(pipe).snapshotNumRowsPerPartition ?? 100_000)
  if (plan) await parts.store.write((transaction) => cursors.set(transaction, planMark(table), planText(plan)))
  return plan
}

/** The condition for keys above one, up to another. */
function keyRange({ growingKey }: SourceTable, after: string, upTo: string): string {
  const key = `t.${escapeIdentifier(growingKey ?? '')}`
  return `${key} > ${escapeLiteral(after)} AND ${key} <= ${escapeLiteral(upTo)}`
}

interface Selection {
  where: string
  /** The relation that has the rows. Default: the table. */
  from?: string
  /** More members in front of those of each row. */
  more?: string
  /** Stores the key of the last row of a load: as it is of a growing key, else as a JSON list. */
  mark(transaction: Queries, lastKey: string): Promise<void>
}

/** Loads the rows of a part of a table that was a table of its own before: the server's log does not have them. */
export async function copyPart(
  run: PostgresRun,
  table: SourceTable,
  part: TablePart,
  target: DestinationTable,
  version: bigint,
): Promise<void> {
  await loadRows(run, table, await tableLoader(run, table, target), {
    where: 'true',
    from: quotedName(part.schema, part.name),
    more: `"${versionColumn}":${version}`,
    mark: async () => undefined,
  })
}

/** Loads the rows of a selection in the order of their keys. */
async function loadRows(
  run: PostgresRun,
  table: SourceTable,
  loader: TableLoader,
  { where, from = sourceName(table), more, mark }: Selection,
): Promise<void> {
  const { server, signal } = run
  const keys = table.primaryKey.map(({ name }) => `t.${escapeIdentifier(name)}`)
  const keyList = `json_build_array(${keys.map((key) => `${key}::text`).join(', ')})`
  const select = `SELECT row_to_json(x)::text AS row, ${placeOf(table, 't')} AS place,
      ${table.growingKey === null ? keyList : keys[0]}::text AS key
    FROM ${from} t, LATERAL (SELECT ${jsonColumns(table.columns, 't')}) x
    WHERE ${where} ${keys.length > 0 ? `ORDER BY ${keys.join(', ')}` : ''}`
  let batch = loader.newBatch()
  let last = ''
  const flush = async () => {
    const key = last
    await loader.load(batch.records, (transaction) => mark(transaction, key), signal)
    batch = loader.newBatch()
  }
  for await (const rows of server.stream<JsonRow & { key: string }>(select, bytesOfRow, signal)) {
    for (const row of rows) {
      batch.add(row, more)
      last = row.key
      if (batch.isFull()) await flush()
    }
  }
  if (batch.records.rows + batch.records.badCount > 0) await flush()
}
