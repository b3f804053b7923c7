/**
 * The tables that pipes write to. Every row has the number of its load in a column that `SELECT *` does not return. The
 * rows of a failed load are found by that number and deleted (`loads.ts`).
 */
import { storageEngines } from '#contract/cloud/pipes/pipeInputs.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import { refuse } from '../../refusal.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import type { EngineIdentity } from '../../telemetry/engine/engineMemory.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import {
  alterColumns,
  createDatabase,
  createTable,
  storageOf,
  type TableChanger,
} from '../../telemetry/engine/tableChanges.ts'
import { parseTableEngine } from '../../telemetry/engine/tableEngine.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { identifier } from './sqlNames.ts'
import { definitionOf, type Column, type TableDefinition, checkKeys, checkTypes } from './tableDefinition.ts'

export interface DestinationTable {
  database: string
  table: string
}

/** The column with the number of the load. */
export const loadColumn = '_pipe_load'

/** The columns of a replicated table: the version of a row, and whether it is deleted. */
export const versionColumn = '_pipe_version'
export const deletedColumn = '_pipe_deleted'

/** The destination of a pipe with one table. */
export function destinationTableOf(pipe: PipeDocument): DestinationTable {
  const { database, table } = pipe.destination ?? {}
  if (!table) throw new TypeError('this kind of pipe has a table')
  return { database: databaseOf(pipe.serviceId, database ?? 'default'), table }
}

/** The destinations of a pipe: one, or one of each mapped table of a database. */
export function destinationTablesOf(pipe: PipeDocument): DestinationTable[] {
  const mappings = pipe.source?.postgres?.tableMappings
  if (!mappings) return pipe.destination?.table ? [destinationTableOf(pipe)] : []
  const database = databaseOf(pipe.serviceId, pipe.destination?.database ?? 'default')
  return mappings.map(({ targetTable }) => ({ database, table: targetTable }))
}

/** Creates and changes tables, and checks their keys. */
type CheckingEngine = TableChanger & EngineIdentity

/** Checks the table that a pipe creates, or the one that it loads into. @throws Refusal 400 if it cannot be loaded */
export async function checkDestination(pipe: PipeDocument, engine: CheckingEngine): Promise<void> {
  const definition = definitionOf(pipe)
  if (pipe.destination?.managedTable) await checkDefinition(definition, engine)
  else {
    await checkTypes(definition.columns, engine)
    await adoptTable(destinationTableOf(pipe), engine)
  }
}

/** Creates the table of a pipe, or adopts the one that it loads into. @throws like `adoptTable` */
export async function prepareDestination(pipe: PipeDocument, engine: CheckingEngine): Promise<void> {
  const target = destinationTableOf(pipe)
  if (pipe.destination?.managedTable) await ensureTable(target, definitionOf(pipe), engine)
  else await adoptTable(target, engine)
}

/** @throws Refusal 400 for an invalid definition */
async function checkDefinition(definition: TableDefinition, engine: CheckingEngine): Promise<void> {
  if (!storageEngines.some((known) => known === definition.engine))
    throw refuse(`Unknown table engine ${definition.engine}`)
  await checkTypes(definition.columns, engine)
  await checkKeys(definition, await engineTypes(definition.columns, engine), engine)
}

/**
 * Column types in the engine's own spelling, which is what goes into statements.
 * @throws Refusal 400 for an invalid type
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

/** Creates the table with a column for the number of the load, unless it exists. */
export async function ensureTable(
  target: DestinationTable,
  definition: TableDefinition,
  engine: CheckingEngine,
): Promise<void> {
  await createDatabase(engine, target.database)
  const columns = await engineTypes(definition.columns, engine)
  // Checked again for pipes of earlier versions.
  await checkKeys(definition, columns, engine)
  const { engine: kind, isVersioned, sortingKey } = definition
  await createTable(engine, {
    name: target,
    columns: `${columns.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ')},
    ${isVersioned ? `${versionColumn} UInt64 MATERIALIZED 0, ${deletedColumn} UInt8 MATERIALIZED 0,` : ''}
    ${loadColumn} UInt64 MATERIALIZED 0 CODEC(ZSTD)
    ${kind === 'Null' ? '' : `, INDEX ${loadColumn} ${loadColumn} TYPE minmax`}`,
    engine: kind,
    ...(kind !== 'Null' && { arguments: engineArguments(definition), clauses: tableClauses(definition) }),
    // Rows that replace each other, or are added up, have to be in one shard.
    ...(kind !== 'MergeTree' && sortingKey.length > 0 && { shardBy: shardOf(sortingKey) }),
  })
}

const shardOf = (sortingKey: readonly string[]) => `cityHash64(${sortingKey.map(identifier).join(', ')})`

function tableClauses(definition: TableDefinition): string {
  const { engine, sortingKey, partitionBy, primaryKey, ttl } = definition
  const keys = sortingKey.map(identifier)
  // Rows of different loads must not be summed: a load could no longer be deleted.
  const order = engine === 'SummingMergeTree' ? [...keys, loadColumn] : keys
  const primary = primaryKey ?? (order === keys ? undefined : keys.join(', '))
  return [
    ...(partitionBy ? [`PARTITION BY (${partitionBy})`] : []),
    `ORDER BY (${order.join(', ')})`,
    ...(primary ? [`PRIMARY KEY (${primary})`] : []),
    ...(ttl ? [`TTL (${ttl})`] : []),
    'SETTINGS fsync_after_insert = 1, allow_nullable_key = 1',
  ].join(' ')
}

function engineArguments({ engine, versionColumn: version, summedColumns, isVersioned }: TableDefinition): string {
  if (isVersioned) return `${versionColumn}, ${deletedColumn}`
  if (engine === 'ReplacingMergeTree' && version) return identifier(version)
  if (engine === 'SummingMergeTree' && summedColumns?.length) return `(${summedColumns.map(identifier).join(', ')})`
  return ''
}

/** Engines of existing tables from which the rows of a load can be deleted, replicated or not. */
const removable = ['MergeTree', 'ReplacingMergeTree']

/**
 * Adds the column for the number of the load to an existing table.
 * @throws Refusal 400 if the table does not exist, or if the rows of a load could not be deleted from it
 */
async function adoptTable(target: DestinationTable, engine: CheckingEngine): Promise<void> {
  const { database, table: name } = await storageOf(engine, target)
  const [table] = await engine.query<{ engine: string }>(
    'SELECT engine FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { params: { database, table: name } },
  )
  if (!table) throw refuse(`destination.table: table ${target.table} does not exist`)
  if (!removable.includes(parseTableEngine(table.engine).name)) {
    throw refuse(
      `destination.table: a ${table.engine} table cannot be loaded exactly once; ${removable.join(' and ')} can`,
    )
  }
  await alterColumns(engine, target, `ADD COLUMN IF NOT EXISTS ${loadColumn} UInt64 MATERIALIZED 0`)
}
