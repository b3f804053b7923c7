/** Tables of a PostgreSQL server: their columns, their keys, and how their changes are found. */
import type { TableMapping } from '#contract/pipeSources.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import type { PostgresServer } from './postgresServer.ts'
import { databaseOf, versionColumn, type DestinationTable } from '../loads/destinationTable.ts'
import type { Column, TableDefinition } from '../loads/tableDefinition.ts'

export interface SourceTable {
  /** `schema.table`, for people and for the cursor. */
  name: string
  mapping: TableMapping
  target: DestinationTable
  /** Without excluded columns. */
  columns: Column[]
  primaryKey: string[]
  /** The column that grows with every new row, or null. */
  growingKey: string | null
  /** Whether the server's log identifies changed rows: an ordinary table with a key that the engine compares alike. */
  isLogged: boolean
  /** Identifies the table on its server. */
  oid: string
}

type Reader = Pick<Engine, 'query'>

export async function describeTable(
  pipe: PipeDocument,
  mapping: TableMapping,
  server: PostgresServer,
  engine: Reader,
): Promise<SourceTable> {
  const { sourceSchemaName: schema, sourceTable: table, excludedColumns } = mapping
  const { call, params } = server.table(schema, table)
  const all = await engine.query<Column>(`DESCRIBE ${call}`, { params })
  const excluded = new Set(excludedColumns)
  const columns = all.map(({ name, type }) => ({ name, type })).filter(({ name }) => !excluded.has(name))
  const oid = await oidOf(server, schema, table, engine)
  const primaryKey = oid === '' ? [] : await primaryKeyOf(server, oid)
  const [only, ...others] = primaryKey
  const typeOf = (name: string | undefined) => all.find((column) => column.name === name)?.type ?? ''
  const hasKey = primaryKey.length > 0 && primaryKey.every((name) => !excluded.has(name))
  return {
    name: `${schema}.${table}`,
    mapping,
    target: {
      database: databaseOf(pipe.serviceId, pipe.destination?.database ?? 'default'),
      table: mapping.targetTable,
    },
    columns,
    primaryKey: hasKey ? primaryKey : [],
    growingKey: only !== undefined && others.length === 0 && /^U?Int(16|32|64)$/.test(typeOf(only)) ? only : null,
    isLogged:
      hasKey && primaryKey.every((name) => loggedKeyTypes.test(typeOf(name))) && (await logsChangedRows(server, oid)),
    oid,
  }
}

/** Types with the same text in the server's log and in the engine. */
const loggedKeyTypes = /^(U?Int(16|32|64)|String|UUID)$/

/** The destination table of a mapping. */
export function definitionFor(pipe: PipeDocument, { columns, mapping, primaryKey }: SourceTable): TableDefinition {
  const sortingKey = sortingKeyOf(mapping, primaryKey)
  const allowNullable = pipe.source?.postgres?.settings?.allowNullableColumns ?? false
  const plain = (type: string) => /^Nullable\((.*)\)$/s.exec(type)?.[1] ?? type
  const engine = mapping.tableEngine ?? (sortingKey.length > 0 ? 'ReplacingMergeTree' : 'MergeTree')
  return {
    engine,
    columns: columns.map(({ name, type }) => ({ name, type: allowNullable ? type : plain(type) })),
    sortingKey,
    isVersioned: engine === 'ReplacingMergeTree',
    ...(mapping.partitionByExpr && { partitionBy: mapping.partitionByExpr }),
  }
}

function sortingKeyOf(mapping: TableMapping, primaryKey: readonly string[]): readonly string[] {
  return mapping.useCustomSortingKey ? (mapping.sortingKeys ?? []) : primaryKey
}

/** Whether a later version of a row replaces an earlier one: the destination is sorted by the source's key. */
export async function takesVersions({ mapping, primaryKey, target }: SourceTable, engine: Reader): Promise<boolean> {
  const sortingKey = sortingKeyOf(mapping, primaryKey)
  if (sortingKey.length !== primaryKey.length || !primaryKey.every((name) => sortingKey.includes(name))) return false
  const [table] = await engine.query<{ engine: string }>(
    'SELECT engine_full AS engine FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { params: { ...target } },
  )
  return table?.engine.startsWith(`ReplacingMergeTree(${versionColumn},`) ?? false
}

async function oidOf(server: PostgresServer, schema: string, table: string, engine: Reader): Promise<string> {
  // The table function quotes names as the server needs them.
  const named = async <Row>(catalog: string, columns: string, column: string, name: string) => {
    const { call, params } = server.table('pg_catalog', catalog)
    return engine.query<Row>(`SELECT ${columns} FROM ${call} WHERE ${column} = {name:String}`, {
      params: { ...params, name },
    })
  }
  const [namespaces, classes] = await Promise.all([
    named<{ oid: string }>('pg_namespace', 'oid', 'nspname', schema),
    named<{ oid: string; relnamespace: string }>('pg_class', 'oid, relnamespace', 'relname', table),
  ])
  return String(classes.find((one) => namespaces.some(({ oid }) => oid === one.relnamespace))?.oid ?? '')
}

async function primaryKeyOf(server: PostgresServer, oid: string): Promise<string[]> {
  const [primary] = await server.query<{ numbers: string }>(
    `SELECT concat(indkey, '') AS numbers FROM pg_index WHERE indrelid = ${oid} AND indisprimary`,
  )
  if (!primary) return []
  const attributes = await server.query<{ name: string; number: string }>(
    `SELECT concat(attname, '') AS name, concat(attnum, '') AS number FROM pg_attribute WHERE attrelid = ${oid}`,
  )
  return primary.numbers
    .split(' ')
    .flatMap((number) => attributes.find((attribute) => attribute.number === number)?.name ?? [])
}

/** Whether it is an ordinary, logged table whose changes contain the key. */
async function logsChangedRows(server: PostgresServer, oid: string): Promise<boolean> {
  const [row] = await server.query<{ kinds: string }>(
    `SELECT concat(relkind, relpersistence, relreplident) AS kinds FROM pg_class WHERE oid = ${oid}`,
  )
  return row?.kinds === 'rpd' || row?.kinds === 'rpf'
}

/** The transactions that are currently writing to a table. */
export async function writersOf(server: PostgresServer, { oid }: SourceTable): Promise<Set<string>> {
  const locks = await server.query<{ transaction: string }>(
    `SELECT concat(virtualtransaction, '') AS transaction FROM pg_locks WHERE relation = ${oid}
     AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
  )
  return new Set(locks.map((lock) => lock.transaction))
}
