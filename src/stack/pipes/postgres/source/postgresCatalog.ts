/** The schemas and tables of a PostgreSQL server: for people who choose the tables of a new pipe. */
import type { FoundDatabase, FoundTable } from '#contract/cloud/pipes/pipeDiscovery.ts'
import type { PostgresServer } from './postgresServer.ts'
import { catalogColumns, growingKeyOf, hasLoggedKey } from './postgresTables.ts'
import { engineTypeOf, type SourceColumn } from './postgresTypes.ts'

/** The most tables that a pipe can have. */
const maxTables = 1000

interface CatalogTable extends Record<string, string | null> {
  schema: string
  name: string
  rows: string | null
  bytes: string | null
  kinds: string
  columns: string | null
  key: string | null
}

/** Tables that the user may read, without partitions. Sizes of partitioned tables are those of their parts: unknown here. */
const tables = `SELECT n.nspname AS schema, c.relname AS name,
    CASE WHEN c.relkind = 'r' AND c.reltuples >= 0 THEN c.reltuples::bigint END::text AS rows,
    CASE WHEN c.relkind = 'r' THEN pg_table_size(c.oid) END::text AS bytes, ${catalogColumns}
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
    AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  ORDER BY n.nspname, c.relname LIMIT ${maxTables}`

const server = `SELECT current_setting('server_version') AS version, current_setting('wal_level') AS "walLevel",
  (SELECT r.rolreplication OR r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user)::text AS "canReplicate"`

/** The version and settings of a server, and the tables that its user may read. */
export async function readCatalog(source: PostgresServer, signal: AbortSignal): Promise<FoundDatabase> {
  const [[facts], found] = await Promise.all([
    source.query<{ version: string; walLevel: string; canReplicate: string | null }>(server, [], signal),
    source.query<CatalogTable>(tables, [], signal),
  ])
  const { version = '', walLevel = '' } = facts ?? {}
  const canReplicate = facts?.canReplicate === 'true'
  const hasLog = walLevel === 'logical' && canReplicate
  return { server: { version, walLevel, canReplicate }, tables: found.map((table) => foundTable(table, hasLog)) }
}

/** @param hasLog whether changes can be replicated */
function foundTable({ schema, name, rows, bytes, kinds, ...texts }: CatalogTable, hasLog: boolean): FoundTable {
  // The statement builds both.
  const columns = JSON.parse(texts.columns ?? '[]') as SourceColumn[]
  const key = JSON.parse(texts.key ?? '[]') as number[]
  const primaryKey = key.flatMap((number) => columns.find((column) => column.number === number) ?? [])
  return {
    schema,
    name,
    rows: rows === null ? null : Number(rows),
    bytes: bytes === null ? null : Number(bytes),
    primaryKey: primaryKey.map((column) => column.name),
    follows: hasLog && hasLoggedKey(kinds, primaryKey) ? 'changes' : growingKeyOf(primaryKey) ? 'newRows' : 'nothing',
    columns: columns.map((column) => ({ name: column.name, type: engineTypeOf(column) })),
  }
}
