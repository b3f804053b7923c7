/** The tables that sources can read: their databases and engines. */
import type { Engine } from './engine/engine.ts'
import { storageOf } from './engine/tableChanges.ts'
import type { TableName } from './engine/tableName.ts'
import { documentedDatabase, telemetryDatabase } from './engine/telemetryDatabase.ts'

/** A source names a table that it cannot read, or that does not exist. */
export class SourceTableError extends Error {
  override readonly name = 'SourceTableError'
  /** The invalid name. */
  readonly part: 'database' | 'table'
  /** Whether there is no such table, so that it may be made later. */
  readonly isMissing: boolean

  constructor(part: 'database' | 'table', message: string, isMissing = false) {
    super(message)
    this.part = part
    this.isMissing = isMissing
  }
}

export interface ReadableDatabases {
  /** The engine's name of a database in a source. @throws SourceTableError for a database that sources may not read */
  resolve(documented: string): string
  /** Names of tables without a database are refused: they would be those of telemetry. */
  needsDatabase?: true
}

interface Readable {
  /** Null if this machine has no engine. */
  engine: Pick<Engine, 'kind' | 'database'> | null
  /** The `default` databases of the services; their other databases have these names, `_`, and more. */
  services: readonly string[]
  /** SOURCE_DATABASES */
  named: readonly string[]
}

export function readableDatabases({ engine, services, named }: Readable): ReadableDatabases {
  const telemetry = engine?.database ?? telemetryDatabase
  const documented = documentedName(engine)
  const isReadable = (name: string) =>
    name === telemetry ||
    named.includes(name) ||
    services.some((service) => name === service || name.startsWith(`${service}_`))
  return {
    resolve(name) {
      if (name === documented) return telemetry
      if (isReadable(name)) return name
      throw new SourceTableError(
        'database',
        `${quoteName(name)} is not a database that sources may read: use ${quoteName(documented)}, a database of a service ` +
          `(service_…), or one of SOURCE_DATABASES`,
      )
    },
  }
}

export function canRead(databases: ReadableDatabases, name: string): boolean {
  try {
    databases.resolve(name)
    return true
  } catch (error) {
    if (error instanceof SourceTableError) return false
    throw error
  }
}

/** The name of the telemetry database in sources. */
export function documentedName(engine: Pick<Engine, 'kind' | 'database'> | null): string {
  return engine?.kind === 'remote' ? engine.database : documentedDatabase
}

/**
 * Engines whose tables store rows, or show those of such tables. None reads files, addresses or other servers' data.
 */
export const ordinaryEngines = /^(\w*MergeTree|Memory|Null|View|MaterializedView|Distributed)$/

export interface TableFacts {
  sortingKey: string
}

/** Looks up a table in the engine's list by its exact name. Throws SourceTableError if it is missing or not a regular table. */
export async function findTable(
  engine: Pick<Engine, 'dialect' | 'query'>,
  { database, table }: TableName,
): Promise<TableFacts> {
  const row = await listedTable(engine, { database, table })
  if (row && ordinaryEngines.test(row.engine)) {
    // A Distributed table has no key. The one that stores its rows may be of another server.
    const storing =
      row.engine === 'Distributed' ? await listedTable(engine, await storageOf(engine, { database, table })) : row
    return { sortingKey: storing?.key ?? '' }
  }
  const names = await ordinaryTables(engine, database)
  const choices = names.length > 0 ? `it has ${names.join(', ')}` : 'it has none that sources may read'
  throw new SourceTableError('table', `the database has no table ${quoteName(table)}: ${choices}`, !row)
}

async function listedTable(
  engine: Pick<Engine, 'query'>,
  { database, table }: TableName,
): Promise<{ engine: string; key: string } | undefined> {
  const [row] = await engine.query<{ engine: string; key: string }>(
    `SELECT engine, sorting_key AS key FROM system.tables
     WHERE database = if({database:String} = '', currentDatabase(), {database:String}) AND name = {table:String}`,
    { params: { database, table } },
  )
  return row
}

const maxChoices = 10

/** The tables with any of these names, in all databases. */
export async function tablesNamed(
  engine: Pick<Engine, 'query'>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<TableName[]> {
  return engine.query<{ database: string; table: string }>(
    'SELECT database, name AS table FROM system.tables WHERE has({names:Array(String)}, name)',
    { params: { names }, signal },
  )
}

async function ordinaryTables(engine: Pick<Engine, 'query'>, database: string): Promise<string[]> {
  const rows = await engine.query<{ name: string }>(
    `SELECT name FROM system.tables
     WHERE database = if({database:String} = '', currentDatabase(), {database:String}) AND match(engine, {ordinary:String})
     ORDER BY name LIMIT ${maxChoices + 1}`,
    { params: { database, ordinary: ordinaryEngines.source } },
  )
  return rows.map(({ name }, at) => (at < maxChoices ? name : '…'))
}

/** Checks a table name by its form, if there is no engine to check it. Throws SourceTableError. */
export function checkTableForm(table: string): void {
  if (/^[\w.-]{1,200}$/.test(table) && !table.startsWith('.')) return
  throw new SourceTableError(
    'table',
    `${quoteName(table)} is not the name of a table: use at most 200 letters, digits, "_", "-" and "."`,
  )
}

/** In quotes, short, and without characters that cannot be seen. */
function quoteName(name: string): string {
  const visible = JSON.stringify(name).replaceAll(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
  return visible.length > 100 ? `${visible.slice(0, 100)}…"` : visible
}
