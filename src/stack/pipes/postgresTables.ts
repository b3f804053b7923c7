/** Tables of a PostgreSQL server, read through the engine's own table function. */
import type { TableMapping } from '#contract/pipeSources.ts'
import type { Engine } from '../telemetry/engine.ts'
import type { PipeDocument } from './pipeDocument.ts'
import type { Column } from './target.ts'

export interface SourceTable {
  /** `schema.table`, for people and for the cursor. */
  name: string
  mapping: TableMapping
  /** Without the excluded ones. */
  columns: Column[]
  primaryKey: string[]
  /** The column that grows with every new row; null where there is none, and the table can only be copied once. */
  growingKey: string | null
  /** Identifies the table on its server. */
  oid: string
}

/** A call of the table function, with the values of its placeholders. */
export interface TableCall {
  call: string
  params: Record<string, string>
}

export function tableCall(pipe: PipeDocument, schema: string, table: string): TableCall {
  const { host, port, database } = pipe.source?.postgres ?? {}
  // Checked when the pipe was made.
  const credentials = pipe.internal.secrets?.['credentials'] as { username: string; password: string } | undefined
  return {
    call: 'postgresql({pg_server:String}, {pg_database:String}, {pg_table:String}, {pg_user:String}, {pg_password:String}, {pg_schema:String})',
    params: {
      pg_server: `${host}:${port ?? 5432}`,
      pg_database: database ?? '',
      pg_table: table,
      pg_user: credentials?.username ?? '',
      pg_password: credentials?.password ?? '',
      pg_schema: schema,
    },
  }
}

type Reader = Pick<Engine, 'query'>

export async function describeTable(pipe: PipeDocument, mapping: TableMapping, engine: Reader): Promise<SourceTable> {
  const { sourceSchemaName: schema, sourceTable: table, excludedColumns } = mapping
  const { call, params } = tableCall(pipe, schema, table)
  const all = await engine.query<Column>(`DESCRIBE ${call}`, { params })
  const excluded = new Set(excludedColumns)
  const columns = all.map(({ name, type }) => ({ name, type })).filter(({ name }) => !excluded.has(name))
  const oid = await oidOf(pipe, schema, table, engine)
  const primaryKey = await primaryKeyOf(pipe, oid, engine)
  const [only, ...others] = primaryKey
  const isNumber = /^U?Int(16|32|64)$/.test(all.find(({ name }) => name === only)?.type ?? '')
  return {
    name: `${schema}.${table}`,
    mapping,
    columns,
    primaryKey: primaryKey.every((name) => !excluded.has(name)) ? primaryKey : [],
    growingKey: only !== undefined && others.length === 0 && isNumber ? only : null,
    oid,
  }
}

async function oidOf(pipe: PipeDocument, schema: string, table: string, engine: Reader): Promise<string> {
  const namespaces = await catalog<{ oid: string }>(
    pipe,
    'pg_namespace',
    'oid',
    'nspname = {value:String}',
    schema,
    engine,
  )
  const classes = await catalog<{ oid: string; relnamespace: string }>(
    pipe,
    'pg_class',
    'oid, relnamespace',
    'relname = {value:String}',
    table,
    engine,
  )
  return classes.find((one) => namespaces.some(({ oid }) => String(oid) === String(one.relnamespace)))?.oid ?? ''
}

async function primaryKeyOf(pipe: PipeDocument, oid: string, engine: Reader): Promise<string[]> {
  const indexes = await catalog<{ indkey: string; indisprimary: number | boolean }>(
    pipe,
    'pg_index',
    'indkey, indisprimary',
    'toString(indrelid) = {value:String}',
    oid,
    engine,
  )
  const primary = indexes.find((index) => Number(index.indisprimary) === 1)
  if (!primary) return []
  const attributes = await catalog<{ attname: string; attnum: number }>(
    pipe,
    'pg_attribute',
    'attname, attnum',
    'toString(attrelid) = {value:String}',
    oid,
    engine,
  )
  return primary.indkey
    .split(' ')
    .flatMap((number) => attributes.find((one) => Number(one.attnum) === Number(number))?.attname ?? [])
}

/** @param columns and @param condition are this file's own text */
function catalog<Row>(
  pipe: PipeDocument,
  table: string,
  columns: string,
  condition: string,
  value: string,
  engine: Reader,
): Promise<Row[]> {
  const { call, params } = tableCall(pipe, 'pg_catalog', table)
  return engine.query<Row>(`SELECT ${columns} FROM ${call} WHERE ${condition}`, { params: { ...params, value } })
}

/** Transactions that are writing to a table at this moment, by names that last as long as they do. */
export async function writersOf(pipe: PipeDocument, table: SourceTable, engine: Reader): Promise<Set<string>> {
  const locks = await catalog<{ transaction: string }>(
    pipe,
    'pg_locks',
    'virtualtransaction AS transaction',
    "toString(relation) = {value:String} AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')",
    table.oid,
    engine,
  )
  return new Set(locks.map((lock) => lock.transaction))
}
