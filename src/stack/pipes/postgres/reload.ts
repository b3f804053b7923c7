/**
 * Loads a table again, into a new table beside it, which takes its place once it is complete. Until then the rows of before
 * stay as they are. May be interrupted at any time: it goes on from there.
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
import { addColumn, columnsOf, widenColumns } from './destinationColumns.ts'
import { copyRows, markCopied, markUncopied } from './postgresCopy.ts'
import { postgresSettings, type PostgresRun } from './postgresRun.ts'
import { definitionFor, type SourceTable } from './postgresTables.ts'

/** What the new table is like: the one before with the columns of the source, or a new one with another key. */
export type ReloadBasis = 'copy' | 'definition'

const reloadCursor = (name: string) => `reload ${name}`
const filling = 'filling '
const exchanging = 'exchange '

/** Has a table loaded again before its next changes are applied. A pipe that only takes changes goes on from here. */
export async function requestReload(
  run: PostgresRun,
  name: string,
  basis: ReloadBasis,
  transaction: Queries,
): Promise<void> {
  await markUncopied(run, { name }, transaction)
  if (postgresSettings(run.pipe).replicationMode === 'cdc_only') return
  await run.cursors.set(transaction, reloadCursor(name), `new ${basis}`)
}

/**
 * Has a table loaded again from its beginning, in whatever state it is: its changes are passed over until then.
 * @param name of the table. Nothing is stored if it waits for that already
 */
export async function reloadFromBeginning(run: PostgresRun, name: string): Promise<void> {
  const { parts, cursors } = run
  const stored = (await cursors.get(parts.store, reloadCursor(name))) ?? ''
  if (stored.startsWith('new ')) return
  const basis = stored === `${filling}definition` ? 'definition' : 'copy'
  await parts.store.write((transaction) => requestReload(run, name, basis, transaction))
}

export async function isReloading({ parts, cursors }: PostgresRun, name: string): Promise<boolean> {
  return (await cursors.get(parts.store, reloadCursor(name))) !== null
}

/** Loads a table again. @param progress called with the finished ranges and all ranges */
export async function reloadTable(
  run: PostgresRun,
  table: SourceTable,
  progress: (done: number, all: number) => Promise<void>,
): Promise<void> {
  const { parts, cursors, pipeWord } = run
  const cursor = reloadCursor(table.name)
  const { target } = table
  const beside = { database: target.database, table: `${target.table}_${pipeWord}_reload` }
  const stored = (await cursors.get(parts.store, cursor)) ?? ''
  if (!stored.startsWith(exchanging)) {
    if (!stored.startsWith(filling)) {
      const isDefined = stored === 'new definition'
      await createBeside(run, table, beside, isDefined)
      await parts.store.write(async (transaction) => {
        await markUncopied(run, table, transaction)
        await cursors.set(transaction, cursor, `${filling}${isDefined ? 'definition' : 'copy'}`)
      })
    }
    await copyRows(run, table, { target: beside, progress })
    await keepOtherRows(run, target, beside)
    const mark = `${exchanging}${await identityOf(run, beside)}`
    await parts.store.write((transaction) => cursors.set(transaction, cursor, mark))
    await exchange(run, target, beside)
  } else if (stored !== `${exchanging}${await identityOf(run, target)}`) await exchange(run, target, beside)
  await parts.engine.command(`DROP TABLE IF EXISTS ${qualified(beside.database, beside.table)} SYNC`)
  await parts.store.write(async (transaction) => {
    await markCopied(run, table, transaction)
    await cursors.remove(transaction, cursor)
  })
}

function exchange({ parts }: PostgresRun, one: DestinationTable, other: DestinationTable): Promise<void> {
  return parts.engine.command(
    `EXCHANGE TABLES ${qualified(one.database, one.table)} AND ${qualified(other.database, other.table)}`,
  )
}

async function identityOf({ parts }: PostgresRun, target: DestinationTable): Promise<string> {
  const [row] = await parts.engine.query<{ id: string }>(
    'SELECT toString(uuid) AS id FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { params: { ...target } },
  )
  return row?.id ?? ''
}

async function createBeside(
  run: PostgresRun,
  table: SourceTable,
  beside: DestinationTable,
  isDefined: boolean,
): Promise<void> {
  const name = qualified(beside.database, beside.table)
  const create = async (isCopy: boolean) => {
    await run.parts.engine.command(`DROP TABLE IF EXISTS ${name} SYNC`)
    if (isCopy) {
      await run.parts.engine.command(`CREATE TABLE ${name} AS ${qualified(table.target.database, table.target.table)}`)
    } else await ensureTable(beside, definitionFor(run.pipe, table), run.parts.engine)
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
