/**
 * The tables that pipes write to. Every row carries the number of the load that wrote it, in a column that `SELECT *` leaves
 * out: whatever a load that did not end well has written is found by that number and taken away again (`loads.ts`).
 */
import { storageEngines } from '#contract/pipeInputs.ts'
import { refuse } from '../../refusal.ts'
import type { Engine } from '../../telemetry/engine.ts'
import { EngineError } from '../../telemetry/engineError.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { identifier, qualified } from './sqlNames.ts'
import type { Column, TableDefinition } from './tableDefinition.ts'
import { checkKeys, checkTypes } from './tableChecks.ts'

export interface DestinationTable {
  database: string
  table: string
}

/** The column with the number of the load. */
export const loadColumn = '_pipe_load'

/** The columns of a table that follows another row by row: which version of a row this is, and whether the row is gone. */
export const versionColumn = '_pipe_version'
export const deletedColumn = '_pipe_deleted'

/** A service has databases of its own in the one engine: `default` of a service, and others by their name. */
export function databaseOf(serviceId: string, database: string): string {
  const own = `service_${serviceId.replaceAll('-', '_')}`
  return database === 'default' ? own : `${own}_${database}`
}

/** The destination of a pipe with one table. */
export function destinationTableOf(pipe: PipeDocument): DestinationTable {
  const { database, table } = pipe.destination ?? {}
  if (!table) throw new TypeError('this kind of pipe names its table')
  return { database: databaseOf(pipe.serviceId, database ?? 'default'), table }
}

/** @throws Refusal 400 for a definition that cannot be made */
export async function checkDefinition(definition: TableDefinition, engine: Pick<Engine, 'query'>): Promise<void> {
  if (!storageEngines.some((known) => known === definition.engine))
    throw refuse(`Unknown table engine ${definition.engine}`)
  await checkTypes(definition.columns, engine)
  await checkKeys(definition, await engineTypes(definition.columns, engine), engine)
}

/**
 * Column types in the engine's own spelling, which is what goes into statements.
 * @throws Refusal 400 for what is no type
 */
export async function engineTypes(columns: readonly Column[], engine: Pick<Engine, 'query'>): Promise<Column[]> {
  const known = new Map<string, Promise<string>>()
  for (const { type } of columns) known.set(type, known.get(type) ?? engineType(type, engine))
  return Promise.all(columns.map(async ({ name, type }) => ({ name, type: (await known.get(type)) ?? type })))
}

interface DescribedColumn {
  type: string
  default_type: string
}

async function engineType(type: string, engine: Pick<Engine, 'query'>): Promise<string> {
  try {
    const described = await engine.query<DescribedColumn>(`DESCRIBE format('JSONEachRow', {structure:String}, '{}')`, {
      params: { structure: `c ${type}` },
    })
    const [column] = described
    if (column && described.length === 1 && column.default_type === '') return column.type
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
  throw refuse(`destination.columns: ${type.slice(0, 100)} is not a column type`)
}

/** Makes the table when it is not there; with a column for the number of the load, whoever made it. */
export async function ensureTable(
  target: DestinationTable,
  definition: TableDefinition,
  engine: Pick<Engine, 'query' | 'command'>,
): Promise<void> {
  await engine.command(`CREATE DATABASE IF NOT EXISTS ${identifier(target.database)}`)
  const columns = await engineTypes(definition.columns, engine)
  // Of an earlier version's pipe as well, whose keys were not checked like this.
  await checkKeys(definition, columns, engine)
  await engine.command(`CREATE TABLE IF NOT EXISTS ${qualified(target.database, target.table)} (
    ${columns.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ')},
    ${definition.isVersioned ? `${versionColumn} UInt64 MATERIALIZED 0, ${deletedColumn} UInt8 MATERIALIZED 0,` : ''}
    ${loadColumn} UInt64 MATERIALIZED 0 CODEC(ZSTD)
    ${definition.engine === 'Null' ? '' : `, INDEX ${loadColumn} ${loadColumn} TYPE minmax`}
  ) ${engineClause(definition)}`)
}

function engineClause(definition: TableDefinition): string {
  const { engine, sortingKey, partitionBy, primaryKey } = definition
  if (engine === 'Null') return 'ENGINE = Null'
  const keys = sortingKey.map(identifier)
  // Rows of different loads are never summed into one: a load could not be taken away again.
  const order = engine === 'SummingMergeTree' ? [...keys, loadColumn] : keys
  const primary = primaryKey ?? (order === keys ? undefined : keys.join(', '))
  return [
    `ENGINE = ${engine}(${engineArguments(definition)})`,
    ...(partitionBy ? [`PARTITION BY (${partitionBy})`] : []),
    `ORDER BY (${order.join(', ')})`,
    ...(primary ? [`PRIMARY KEY (${primary})`] : []),
    'SETTINGS fsync_after_insert = 1, allow_nullable_key = 1',
  ].join(' ')
}

function engineArguments({ engine, versionColumn: given, summedColumns, isVersioned }: TableDefinition): string {
  if (isVersioned) return `${versionColumn}, ${deletedColumn}`
  if (engine === 'ReplacingMergeTree' && given) return identifier(given)
  if (engine === 'SummingMergeTree' && summedColumns?.length) return `(${summedColumns.map(identifier).join(', ')})`
  return ''
}

/** Engines of tables that somebody else made, from which rows can be taken away by their load. */
const removable = ['MergeTree', 'ReplacingMergeTree']

/**
 * Makes a table that somebody else made fit to be loaded.
 * @throws Refusal 400 when it is not there, or when a load could not be taken away from it
 */
export async function adoptTable(target: DestinationTable, engine: Pick<Engine, 'query' | 'command'>): Promise<void> {
  const [table] = await engine.query<{ engine: string }>(
    'SELECT engine FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { params: { ...target } },
  )
  if (!table) throw refuse(`destination.table: there is no table ${target.table}`)
  if (!removable.includes(table.engine)) {
    throw refuse(
      `destination.table: a ${table.engine} table cannot be loaded exactly once; ${removable.join(' and ')} can`,
    )
  }
  await engine.command(
    `ALTER TABLE ${qualified(target.database, target.table)} ADD COLUMN IF NOT EXISTS ${loadColumn} UInt64 MATERIALIZED 0`,
  )
}
