/**
 * Loads a table again, into a new table beside it, which takes its place once it is complete. Until then the rows of before
 * stay as they are, and the changes of the table go into the new one. May be interrupted at any time: it goes on from there.
 */
import {
  ensureTable,
  loadColumn,
  versionColumn,
  deletedColumn,
  type DestinationTable,
} from '../loads/destinationTable.ts'
import { rowsOfPipe } from '../loads/loadNumbers.ts'
import { deleteRows } from '../loads/loads.ts'
import { identifier, literal, qualified } from '../loads/sqlNames.ts'
import type { Queries } from '../../store/store.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import {
  completeExchange,
  createLike,
  dropTable,
  exchangeTables,
  tableIds,
} from '../../telemetry/engine/tableChanges.ts'
import { addColumn, columnsOf, widenColumns } from './destinationColumns.ts'
import { markCopied, markUncopied } from './postgresCopy.ts'
import { postgresSettings, type PostgresRun } from './postgresRun.ts'
import { definitionFor, type SourceTable } from './source/postgresTables.ts'

/** The form of the new table: the one before with the columns of the source, or a new one with another key. */
export type ReloadBasis = 'copy' | 'definition'

const reloadCursor = (name: string) => `reload ${name}`
const filling = 'filling '
const exchanging = 'exchange '
/** Prefix of the cursors of new tables, followed by the name of the table that is replaced: its mapping may be removed meanwhile. */
const besidePrefix = 'beside '

/** Has a table loaded again. A pipe that only takes changes goes on from here. */
export async function requestReload(
  run: PostgresRun,
  name: string,
  basis: ReloadBasis,
  transaction: Queries,
): Promise<void> {
  await markUncopied(run, { name }, transaction)
  if (postgresSettings(run.pipe).replicationMode === 'cdc_only') return
  const stored = await run.cursors.get(transaction, reloadCursor(name))
  // A table that needs another key needs it until it has it.
  const needed = stored?.endsWith(' definition') ? 'definition' : basis
  await run.cursors.set(transaction, reloadCursor(name), `new ${needed}`)
}

/**
 * Has a table loaded again from its beginning, in whatever state it is: its changes are passed over until then.
 * @param name of the table. Nothing is stored if it waits for that already
 */
export async function reloadFromBeginning(run: PostgresRun, name: string): Promise<void> {
  const { parts, cursors } = run
  const stored = (await cursors.get(parts.store, reloadCursor(name))) ?? ''
  if (stored.startsWith('new ')) return
  await parts.store.write((transaction) => requestReload(run, name, 'copy', transaction))
}

export async function isReloading({ parts, cursors }: PostgresRun, name: string): Promise<boolean> {
  return (await cursors.get(parts.store, reloadCursor(name))) !== null
}

/** Where the changes of a table go: into its table, or into the one that will replace it. Null for one that is not begun. */
export async function changesTarget(run: PostgresRun, table: SourceTable): Promise<DestinationTable | null> {
  const stored = await run.cursors.get(run.parts.store, reloadCursor(table.name))
  if (stored === null) return table.target
  if (stored.startsWith(filling)) return besideOf(run, table)
  if (!stored.startsWith(exchanging)) return null
  return (await isExchanged(run, stored, table.target)) ? table.target : besideOf(run, table)
}

/**
 * Begins to load a table again, or goes on with it. From then on its changes go into the new table. They have later versions
 * than what is copied, so it makes no difference which of the two comes first.
 * @returns the new table, which rows are to be copied into. Null if the reload was complete but for a note of that
 */
export async function beginReload(run: PostgresRun, table: SourceTable): Promise<DestinationTable | null> {
  const { parts, cursors } = run
  const cursor = reloadCursor(table.name)
  const stored = (await cursors.get(parts.store, cursor)) ?? ''
  if (stored.startsWith(exchanging)) {
    await finishReload(run, table)
    return null
  }
  const beside = besideOf(run, table)
  // A reload that an earlier version began has no such cursor.
  await parts.store.write((transaction) =>
    cursors.set(transaction, `${besidePrefix}${table.name}`, JSON.stringify(beside)),
  )
  if (stored.startsWith(filling)) return beside
  const isDefined = stored === 'new definition'
  await createBeside(run, table, beside, isDefined)
  await parts.store.write(async (transaction) => {
    await markUncopied(run, table, transaction)
    await cursors.set(transaction, cursor, `${filling}${isDefined ? 'definition' : 'copy'}`)
  })
  return beside
}

/** Puts the new table in the place of the old one. Call this when it has all rows and all changes until now, and gets none meanwhile. */
export async function finishReload(run: PostgresRun, table: SourceTable): Promise<void> {
  const { parts, cursors } = run
  const cursor = reloadCursor(table.name)
  const { target } = table
  const beside = besideOf(run, table)
  const stored = (await cursors.get(parts.store, cursor)) ?? ''
  if (stored.startsWith(filling)) {
    await keepOtherRows(run, target, beside)
    const [id = ''] = await tableIds(parts.engine, beside)
    const mark = `${exchanging}${id} ${stored.slice(filling.length)}`
    await parts.store.write((transaction) => cursors.set(transaction, cursor, mark))
    await exchangeTables(parts.engine, target, beside)
  } else if (!stored.startsWith(exchanging)) return
  else if (!(await isExchanged(run, stored, target))) await exchangeTables(parts.engine, target, beside)
  await completeExchange(parts.engine, target, beside)
  await dropTable(parts.engine, beside)
  await parts.store.write(async (transaction) => {
    await markCopied(run, table, transaction)
    await cursors.remove(transaction, cursor)
    await cursors.remove(transaction, `${besidePrefix}${table.name}`)
  })
}

/** Whether the new table is in the place of the old one, at any replica: the others follow. */
async function isExchanged({ parts }: PostgresRun, stored: string, target: DestinationTable): Promise<boolean> {
  // The identity of the new table. The basis follows it, which earlier versions did not store.
  const id = stored.slice(exchanging.length).split(' ')[0] ?? ''
  return (await tableIds(parts.engine, target)).includes(id)
}

/** Drops the new tables that did not take their place, but for those of the tables that are kept. A deleted pipe keeps none. */
export async function dropNewTables(
  { parts, cursors }: Pick<PostgresRun, 'parts' | 'cursors'>,
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const [name, stored] of await cursors.below(parts.store, besidePrefix)) {
    if (kept.has(name)) continue
    // From `beginReload`.
    await dropTable(parts.engine, JSON.parse(stored) as DestinationTable)
    await parts.store.write((transaction) => cursors.remove(transaction, `${besidePrefix}${name}`))
  }
}

function besideOf(
  { pipeWord }: Pick<PostgresRun, 'pipeWord'>,
  { target }: Pick<SourceTable, 'target'>,
): DestinationTable {
  return { database: target.database, table: `${target.table}_${pipeWord}_reload` }
}

/** Gives the table that is filled new columns of the source. */
export async function fitNewTable(run: PostgresRun, table: SourceTable, target: DestinationTable): Promise<void> {
  if (target.table !== table.target.table) await fitColumns(run, table, target)
}

async function createBeside(
  run: PostgresRun,
  table: SourceTable,
  beside: DestinationTable,
  isDefined: boolean,
): Promise<void> {
  const create = async (isCopy: boolean) => {
    await dropTable(run.parts.engine, beside)
    if (isCopy) await createLike(run.parts.engine, beside, table.target)
    else await ensureTable(beside, definitionFor(run.pipe, table), run.parts.engine)
    await fitColumns(run, table, beside)
  }
  if (isDefined) return create(false)
  try {
    await create(true)
  } catch (error) {
    // The type of a column of the key cannot be changed.
    if (!(error instanceof EngineError) || error.code <= 0) throw error
    await create(false)
  }
}

/** Gives a new table the columns of the source, and those of the table before it. */
async function fitColumns(run: PostgresRun, table: SourceTable, beside: DestinationTable): Promise<void> {
  await widenColumns(run, table, beside)
  const names = new Set((await columnsOf(run, beside)).map(([name]) => name))
  for (const [name, type] of await columnsOf(run, table.target)) {
    if (!names.has(name)) await addColumn(run, beside, name, type)
  }
}

/** Takes over rows that others wrote to the table. */
async function keepOtherRows(run: PostgresRun, target: DestinationTable, beside: DestinationTable): Promise<void> {
  const { parts, pipe } = run
  const own = await rowsOfPipe(parts.store, pipe.id)
  const others = own.length === 0 ? '1' : own.map((condition) => `NOT (${condition})`).join(' AND ')
  const from = qualified(target.database, target.table)
  const [found] = await parts.engine.query<{ rows: string }>(`SELECT count() AS rows FROM ${from} WHERE ${others}`, {
    maxSeconds: 600,
  })
  if (found?.rows === '0') return
  await deleteRows(parts.engine, beside, others)
  const kept = await parts.engine.query<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = ${literal(beside.database)} AND table IN (${literal(target.table)}, ${literal(beside.table)})
       AND (default_kind NOT IN ('MATERIALIZED', 'ALIAS', 'EPHEMERAL') OR name IN (${[loadColumn, versionColumn, deletedColumn].map(literal).join(', ')}))
     GROUP BY name HAVING count() = 2`,
  )
  const names = kept.map(({ name }) => identifier(name)).join(', ')
  await parts.engine.load(
    `INSERT INTO ${qualified(beside.database, beside.table)} (${names}) SELECT ${names} FROM ${from} WHERE ${others}
     SETTINGS insert_allow_materialized_columns = 1`,
    { signal: run.signal },
  )
}
