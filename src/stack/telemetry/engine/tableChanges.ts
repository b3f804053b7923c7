/**
 * Makes and changes tables in the engine's dialect. On a cluster a table is two: a replicated one on each server, `<name>_local`,
 * which stores rows, and a Distributed one with its name, which reads and writes those of all shards.
 */
import type { Engine } from './engine.ts'
import { onCluster, systemTable, type Dialect } from './dialect.ts'
import { EngineError } from './engineError.ts'
import { textLiteral } from './params.ts'
import { argumentName, parseTableEngine } from './tableEngine.ts'
import { quoted, tableSql, type TableName } from './tableName.ts'

/** An engine whose tables can be changed. */
export type TableChanger = Pick<Engine, 'dialect' | 'database' | 'query' | 'command'>

export interface NewTable {
  name: TableName
  /** Columns and indexes. */
  columns: string
  /** An engine of the MergeTree family, or Null. */
  engine: string
  arguments?: string
  /** The clauses after the engine: keys, TTL and settings. */
  clauses?: string
  /** Rows with the same value of this expression are in the same shard of a cluster. Default: any shard. */
  shardBy?: string
}

const localSuffix = '_local'

/** The table that stores the rows of one that was made by `createTable`. */
export function localTable({ kind }: Dialect, { database, table }: TableName): TableName {
  return { database, table: kind === 'cluster' ? `${table}${localSuffix}` : table }
}

/** The statements that make a table. @param database of names without one */
function createStatements(dialect: Dialect, database: string, table: NewTable): string[] {
  const { name, columns, engine, arguments: engineArguments = '', clauses = '', shardBy = 'rand()' } = table
  const on = onCluster(dialect)
  const create = (made: TableName, rest: string) => `CREATE TABLE IF NOT EXISTS ${tableSql(made)}${on} ${rest}`
  const definition = (replication: string) =>
    [`(${columns})`, `ENGINE = ${replication}${engine}${engineArguments && `(${engineArguments})`}`, clauses]
      .filter(Boolean)
      .join('\n')
  if (dialect.kind !== 'cluster') return [create(name, definition(''))]
  const whole = { database: name.database || database, table: name.table }
  if (engine === 'Null') return [create(whole, definition(''))]
  const local = localTable(dialect, whole)
  return [
    create(local, definition('Replicated')),
    create(whole, `AS ${tableSql(local)} ${distributed(dialect, local, shardBy)}`),
  ]
}

function distributed({ cluster }: Dialect, { database, table }: TableName, shardBy: string): string {
  return `ENGINE = Distributed(${[cluster ?? '', database, table].map(textLiteral).join(', ')}, ${shardBy})`
}

/** Makes a table with its database's name, unless it exists. */
export async function createTable(engine: TableChanger, table: NewTable): Promise<void> {
  for (const sql of createStatements(engine.dialect, engine.database, table)) await engine.command(sql)
}

/** Makes a materialized view that adds to a table with each insert into those of its SELECT, unless it exists. */
export function createView(
  engine: TableChanger,
  name: string,
  { to, select }: { to: string; select: string },
): Promise<void> {
  const { dialect, database } = engine
  const target = localTable(dialect, { database, table: to })
  return engine.command(
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${quoted(name)}${onCluster(dialect)} TO ${tableSql(target)} AS ${select}`,
  )
}

export function createDatabase({ dialect, command }: Pick<Engine, 'dialect' | 'command'>, name: string): Promise<void> {
  return command(`CREATE DATABASE IF NOT EXISTS ${quoted(name)}${onCluster(dialect)}`)
}

interface Storage extends TableName {
  /** How rows are assigned to shards, if they are read and written through a Distributed table with the name that was asked for. */
  shardBy?: string
}

/** Where the rows of a table are stored: on a cluster it may be a Distributed one. */
export async function storageOf(
  engine: Pick<Engine, 'dialect' | 'query'>,
  { database, table }: TableName,
): Promise<Storage> {
  const own = { database, table }
  if (engine.dialect.kind !== 'cluster') return own
  const [row] = await engine.query<{ full: string }>(
    `SELECT engine_full AS full FROM system.tables
     WHERE database = if({database:String} = '', currentDatabase(), {database:String}) AND name = {table:String}`,
    { params: { database, table } },
  )
  const found = parseTableEngine(row?.full ?? '')
  const [, of, storing] = found.arguments.map(argumentName)
  const shardBy = found.arguments[3] ?? 'rand()'
  if (found.name !== 'Distributed' || of === undefined || storing === undefined) return own
  return { database: of, table: storing, shardBy }
}

/** Changes the columns of a table. @param change what follows its name, such as `ADD COLUMN a UInt8` */
export async function alterColumns(engine: TableChanger, name: TableName, change: string): Promise<void> {
  const storage = await storageOf(engine, name)
  await alter(engine, storage, change)
  if (storage.shardBy !== undefined) await alter(engine, name, change)
}

/** Changes how a table stores its rows: its TTL, settings and indexes. */
export async function alterStorage(engine: TableChanger, name: TableName, change: string): Promise<void> {
  await alter(engine, await storageOf(engine, name), change)
}

/** The engine's code for a change that is made, but not on all replicas yet. */
export const unfinished = 341

async function alter({ dialect, command }: TableChanger, name: TableName, change: string): Promise<void> {
  await command(`ALTER TABLE ${tableSql(name)}${onCluster(dialect)} ${change}`).catch((error: unknown) => {
    if (dialect.cluster === null || !(error instanceof EngineError && error.code === unfinished)) throw error
  })
}

export async function dropTable(engine: TableChanger, name: TableName): Promise<void> {
  const { dialect } = engine
  const drop = (tableName: TableName) =>
    engine.command(`DROP TABLE IF EXISTS ${tableSql(tableName)}${onCluster(dialect)} SYNC`)
  await drop(name)
  // Later, so that one of which the Distributed one is gone after a kill is found by its name.
  if (dialect.kind === 'cluster') await drop(localTable(dialect, name))
}

/** Makes an empty table with the columns, keys and settings of another. */
export async function createLike(engine: TableChanger, name: TableName, like: TableName): Promise<void> {
  const { dialect, command } = engine
  const storage = await storageOf(engine, like)
  const made = storage.shardBy === undefined ? name : localTable(dialect, name)
  await command(`CREATE TABLE ${tableSql(made)}${onCluster(dialect)} AS ${tableSql(storage)}`)
  if (storage.shardBy !== undefined) await createDistributed(engine, name, made, storage.shardBy)
}

/** Replaces the Distributed table over one that stores rows: it has the columns that those have now. */
function createDistributed(
  { dialect, command }: TableChanger,
  name: TableName,
  local: TableName,
  shardBy: string,
): Promise<void> {
  return command(
    `CREATE OR REPLACE TABLE ${tableSql(name)}${onCluster(dialect)} AS ${tableSql(local)} ${distributed(dialect, local, shardBy)}`,
  )
}

/** Exchanges the rows of two tables, with what they are stored in. `completeExchange` has to follow. */
export async function exchangeTables(engine: TableChanger, name: TableName, other: TableName): Promise<void> {
  const [first, second] = [await storageOf(engine, name), await storageOf(engine, other)]
  await engine.command(`EXCHANGE TABLES ${tableSql(first)} AND ${tableSql(second)}${onCluster(engine.dialect)}`)
}

/** Gives a table that was exchanged with another what that one had besides its rows. May be repeated while the other exists. */
export async function completeExchange(engine: TableChanger, name: TableName, other: TableName): Promise<void> {
  const storage = await storageOf(engine, name)
  if (storage.shardBy === undefined) return
  await createDistributed(engine, name, storage, (await storageOf(engine, other)).shardBy ?? storage.shardBy)
}

/** The UUIDs of what stores a table: one, unless replicas do not have the same one yet. */
export async function tableIds(engine: Pick<Engine, 'dialect' | 'query'>, name: TableName): Promise<string[]> {
  const { database, table } = await storageOf(engine, name)
  const rows = await engine.query<{ id: string }>(
    `SELECT DISTINCT toString(uuid) AS id FROM ${systemTable(engine.dialect, 'tables')} WHERE database = {database:String} AND name = {table:String}`,
    { params: { database, table } },
  )
  return rows.map(({ id }) => id)
}
