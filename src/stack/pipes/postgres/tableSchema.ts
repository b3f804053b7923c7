/**
 * Follows changes of a table's columns at the source: adds columns to the destination, renames them, and keeps those that were
 * dropped. What changes rows of before, which the server's log does not have, makes the table load again (`reload.ts`).
 */
import type { DestinationTable } from '../loads/destinationTable.ts'
import { identifier } from '../loads/sqlNames.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import { addColumn, alter, columnsOf, widenColumns, hasRoom } from './destinationColumns.ts'
import { copyPart, isCopied } from './postgresCopy.ts'
import { logEnd } from './postgresReplication.ts'
import { postgresSettings, type PostgresRun } from './postgresRun.ts'
import { definitionFor, mappedNames, type SourceTable } from './source/postgresTables.ts'
import type { SourceColumn } from './source/postgresTypes.ts'
import { untilWritersEnd } from './source/transactions.ts'
import { dropNewTables, fitNewTable, requestReload, type ReloadBasis } from './reload.ts'

/** The stored columns of a table. */
interface KnownTable {
  oid: string
  columns: SourceColumn[]
  /** The names of the key's columns. */
  key: string[]
  /** The parts of a partitioned table, by what identifies them. */
  parts: string[]
  /** Whether changes of its rows were followed. */
  isFollowed: boolean
}

const schemaPrefix = 'columns '
const schemaCursor = (name: string) => `${schemaPrefix}${name}`

const knownOf = ({ oid, columns, primaryKey, parts }: SourceTable, isFollowed: boolean): KnownTable => ({
  oid,
  columns,
  key: primaryKey.map(({ name }) => name),
  parts: parts.map((part) => part.oid),
  isFollowed,
})

export async function knownTable({ parts, cursors }: PostgresRun, name: string): Promise<KnownTable | null> {
  const stored = await cursors.get(parts.store, schemaCursor(name))
  // Stored below.
  return stored === null ? null : (JSON.parse(stored) as KnownTable)
}

/** Forgets tables that are not mapped any more: one that is mapped again is loaded again. */
export async function forgetOthers(run: PostgresRun): Promise<void> {
  const { parts, cursors, pipe } = run
  const mapped = new Set(mappedNames(pipe))
  const others = [...(await cursors.below(parts.store, schemaPrefix)).keys()].filter((name) => !mapped.has(name))
  for (const name of others) {
    await parts.store.write(async (transaction) => {
      await requestReload(run, name, 'copy', transaction)
      await cursors.remove(transaction, schemaCursor(name))
    })
  }
  await dropNewTables(run, mapped)
}

/**
 * Brings the destination up to date with the columns of a table. May be interrupted and repeated.
 * @param isFollowed whether the server's log has its changes
 * @param target the table that gets them; null for none yet
 */
export async function followColumns(
  run: PostgresRun,
  table: SourceTable,
  isFollowed: boolean,
  target: DestinationTable | null,
): Promise<void> {
  const { parts, cursors } = run
  const known = await knownTable(run, table.name)
  const now = knownOf(table, isFollowed)
  if (known && JSON.stringify(known) === JSON.stringify(now)) return
  // A copy that has begun may have rows too.
  const mayHaveRows = known !== null || (await isCopied(run, table))
  let basis: ReloadBasis | null = known ? await renameColumns(run, table, known) : null
  const added = await addColumns(run, table)
  if (known) {
    if (changedRowsOf(known, now, run, isFollowed, added)) basis ??= 'copy'
    if (known.key.join() !== now.key.join()) basis = 'definition'
    // The rows that are copied to the new table have the earlier columns.
    if (target?.table !== table.target.table && isRenamed(known, table)) basis ??= 'copy'
    if (basis === null && target !== null) {
      await fitNewTable(run, table, target)
      if (isFollowed) await copyAttached(run, table, target, known)
    }
  } else if (mayHaveRows && (added.size > 0 || (await lacksRoom(run, table)))) basis = 'copy'
  // A pipe that only takes changes keeps its rows.
  if (postgresSettings(run.pipe).replicationMode === 'cdc_only') await widenColumns(run, table, table.target)
  await parts.store.write(async (transaction) => {
    // Once it is loaded again, it may be followed.
    const stored = { ...now, isFollowed: isFollowed || basis !== null }
    await cursors.set(transaction, schemaCursor(table.name), JSON.stringify(stored))
    if (basis !== null) await requestReload(run, table.name, basis, transaction)
  })
}

/** Copies the rows of parts that were tables of their own before. */
async function copyAttached(
  run: PostgresRun,
  table: SourceTable,
  target: DestinationTable,
  known: KnownTable,
): Promise<void> {
  const attached = table.parts.filter(({ oid, isAttached }) => isAttached && !known.parts.includes(oid))
  if (attached.length === 0) return
  // Later changes are in the log, with a later version; earlier ones have to be visible.
  const version = await logEnd(run.server)
  await untilWritersEnd(run, table)
  for (const part of attached) await copyPart(run, table, part, target, version)
}

/**
 * Whether rows changed that the log does not have.
 * @param added the names of columns that the destination did not have: others may have values of a dropped column
 */
function changedRowsOf(
  known: KnownTable,
  now: KnownTable,
  { pipe }: PostgresRun,
  isFollowed: boolean,
  added: ReadonlySet<string>,
): boolean {
  // Changes before it was followed were passed over.
  if (isFollowed && !known.isFollowed) return true
  if (known.oid !== now.oid || known.parts.some((part) => !now.parts.includes(part))) return true
  const before = new Map(known.columns.map((column) => [column.number, column]))
  const keepsNull = pipe.source?.postgres?.settings?.allowNullableColumns === true
  return now.columns.some((column) => {
    const earlier = before.get(column.number)
    if (!earlier) return column.hasDefault || !isFollowed || !added.has(column.name)
    if (keepsNull && earlier.notNull && !column.notNull) return true
    return earlier.type !== column.type && !(isText(earlier) && isText(column))
  })
}

const isText = ({ type }: SourceColumn) => /^(?:text|character varying)\b/.test(type)

function isRenamed({ columns }: KnownTable, table: SourceTable): boolean {
  const before = new Map(columns.map(({ number, name }) => [number, name]))
  return table.columns.some(({ number, name }) => (before.get(number) ?? name) !== name)
}

/** Renames columns in the destination. @returns how to load the table again where this is not possible */
async function renameColumns(run: PostgresRun, table: SourceTable, known: KnownTable): Promise<ReloadBasis | null> {
  if (known.oid !== table.oid) return 'copy'
  const before = new Map(known.columns.map(({ number, name }) => [number, name]))
  const renamed = table.columns.filter(({ number, name }) => (before.get(number) ?? name) !== name)
  let basis: ReloadBasis | null = null
  for (const { number, name } of renamed) {
    const columns = new Map(await columnsOf(run, table.target))
    const from = before.get(number) ?? name
    if (!columns.has(from) || columns.has(name)) {
      // Done before it was interrupted, or another column has the name.
      basis ??= columns.has(from) ? 'copy' : null
      continue
    }
    try {
      await alter(run, table.target, `RENAME COLUMN IF EXISTS ${identifier(from)} TO ${identifier(name)}`)
    } catch (error) {
      // The columns of its key cannot be renamed.
      if (!(error instanceof EngineError) || error.code <= 0) throw error
      basis = 'definition'
    }
  }
  return basis
}

/** @returns the names of columns that the destination did not have */
async function addColumns(run: PostgresRun, table: SourceTable): Promise<Set<string>> {
  const columns = new Map(await columnsOf(run, table.target))
  const missing = definitionFor(run.pipe, table).columns.filter(({ name }) => !columns.has(name))
  for (const { name, type } of missing) await addColumn(run, table.target, name, type)
  return new Set(missing.map(({ name }) => name))
}

/** Whether a column of the destination has less room than that of the source, which a pipe of an earlier version did not see. */
async function lacksRoom(run: PostgresRun, table: SourceTable): Promise<boolean> {
  const columns = new Map(await columnsOf(run, table.target))
  return definitionFor(run.pipe, table).columns.some(({ name, type }) => !hasRoom(columns.get(name) ?? type, type))
}
