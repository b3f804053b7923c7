/** Tables of a PostgreSQL server: their columns, their keys, and how their changes are found. */
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { TableMapping } from '#contract/cloud/pipes/pipeSources.ts'
import type { Engine } from '../../../telemetry/engine/engine.ts'
import { storageOf } from '../../../telemetry/engine/tableChanges.ts'
import { parseTableEngine } from '../../../telemetry/engine/tableEngine.ts'
import type { PipeDocument } from '../../model/pipeDocument.ts'
import type { PostgresServer } from './postgresServer.ts'
import { engineTypeOf, isExactKey, jsonValue, type SourceColumn } from './postgresTypes.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import { versionColumn, type DestinationTable } from '../../loads/destinationTable.ts'
import type { TableDefinition } from '../../loads/tableDefinition.ts'

export interface SourceTable {
  /** `schema.table`, for people and for the cursor. */
  name: string
  mapping: TableMapping
  target: DestinationTable
  /** Without excluded columns. */
  columns: SourceColumn[]
  primaryKey: SourceColumn[]
  /** The column that grows with every new row, or null. */
  growingKey: string | null
  /** Whether the server's log identifies changed rows by a key that the engine compares alike. */
  isLogged: boolean
  /** Whether its rows have an address: a view has none. */
  hasAddresses: boolean
  /** The tables whose rows it has besides its own: its partitions, or those that inherit from it. */
  parts: TablePart[]
  /** Identifies the table on its server. */
  oid: string
}

/** A table whose rows are those of another. */
export interface TablePart {
  oid: string
  schema: string
  name: string
  /** Whether it was a table of its own before. */
  isAttached: boolean
}

/** A table in the catalog. */
interface Described extends Record<string, string | null> {
  oid: string
  kinds: string
  columns: string | null
  key: string | null
  parts: string | null
}

/** The kinds, the columns and the primary key of the table `c` of the catalog. */
export const catalogColumns = `concat(c.relkind, c.relpersistence, c.relreplident) AS kinds,
  (SELECT json_agg(json_build_object('number', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'dimensions', a.attndims, 'notNull', a.attnotnull, 'hasDefault', a.atthasdef OR a.attidentity <> '') ORDER BY a.attnum)
    FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  (SELECT json_agg(part.number ORDER BY part.place) FROM pg_catalog.pg_index i,
      unnest(i.indkey::int2[]) WITH ORDINALITY AS part(number, place)
    WHERE i.indrelid = c.oid AND i.indisprimary AND part.place <= i.indnkeyatts) AS key`

const catalogRow = `SELECT c.oid::text AS oid, ${catalogColumns},
  (WITH RECURSIVE tree AS (
      SELECT h.inhrelid AS oid, h.xmin AS attached FROM pg_catalog.pg_inherits h WHERE h.inhparent = c.oid
      UNION ALL SELECT h.inhrelid, h.xmin FROM pg_catalog.pg_inherits h JOIN tree ON h.inhparent = tree.oid)
    SELECT json_agg(json_build_object('oid', p.oid::text, 'schema', pn.nspname, 'name', p.relname, 'isAttached', tree.attached <> a.xmin,
      'isLogged', concat(p.relkind, p.relpersistence, p.relreplident) IN ('rpd', 'rpf')
        AND EXISTS (SELECT FROM pg_catalog.pg_index pi WHERE pi.indrelid = p.oid AND pi.indisprimary)) ORDER BY p.oid)
    FROM tree JOIN pg_catalog.pg_class p ON p.oid = tree.oid AND p.relkind <> 'p'
      JOIN pg_catalog.pg_namespace pn ON pn.oid = p.relnamespace
      JOIN pg_catalog.pg_attribute a ON a.attrelid = p.oid AND a.attname = 'tableoid') AS parts
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`

/** @returns null if there is no such table */
export async function describeTable(
  pipe: PipeDocument,
  mapping: TableMapping,
  server: PostgresServer,
): Promise<SourceTable | null> {
  const { sourceSchemaName: schema, sourceTable: table, excludedColumns } = mapping
  const [row] = await server.query<Described>(catalogRow, [schema, table])
  if (!row) return null
  // The statement builds both.
  const all = JSON.parse(row.columns ?? '[]') as SourceColumn[]
  const key = JSON.parse(row.key ?? '[]') as number[]
  const parts = JSON.parse(row.parts ?? '[]') as (TablePart & { isLogged: boolean })[]
  const excluded = new Set(excludedColumns)
  const columns = all.filter(({ name }) => !excluded.has(name))
  const keyColumns = key.flatMap((number) => columns.find((column) => column.number === number) ?? [])
  const primaryKey = keyColumns.length === key.length ? keyColumns : []
  return {
    name: nameOf(mapping),
    mapping,
    target: targetOf(pipe, mapping),
    columns,
    primaryKey,
    growingKey: growingKeyOf(primaryKey),
    isLogged: hasLoggedKey(row.kinds, primaryKey) && parts.every((part) => part.isLogged),
    hasAddresses: /^[rm]/.test(row.kinds),
    parts: parts.map(({ isLogged: _isLogged, ...part }) => part),
    oid: row.oid,
  }
}

/** The column that grows with every new row, or null: a primary key of one whole number. */
export function growingKeyOf([only, ...others]: readonly SourceColumn[]): string | null {
  return only && others.length === 0 && /^(?:smallint|integer|bigint)$/.test(only.type) ? only.name : null
}

/** Whether the log identifies the changed rows of a table by a key that the engine compares alike. */
export function hasLoggedKey(kinds: string, primaryKey: readonly SourceColumn[]): boolean {
  return primaryKey.length > 0 && primaryKey.every(isExactKey) && (/^rp[df]$/.test(kinds) || kinds.startsWith('p'))
}

/** The table that a mapping loads into. */
function targetOf(pipe: PipeDocument, { targetTable }: TableMapping): DestinationTable {
  return { database: databaseOf(pipe.serviceId, pipe.destination?.database ?? 'default'), table: targetTable }
}

/** The names of the mapped tables: `schema.table`. */
export function mappedNames(pipe: PipeDocument): string[] {
  return (pipe.source?.postgres?.tableMappings ?? []).map(nameOf)
}

export function nameOf({ sourceSchemaName, sourceTable }: TableMapping): string {
  return `${sourceSchemaName}.${sourceTable}`
}

/** The name of a table in statements for its server. */
export function sourceName({ mapping }: Pick<SourceTable, 'mapping'>): string {
  return quotedName(mapping.sourceSchemaName, mapping.sourceTable)
}

export function quotedName(schema: string, table: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`
}

/** Tables by their names in the server's log, which has the names of the parts of a partitioned table. */
export function loggedNames(tables: readonly SourceTable[]): Map<string, SourceTable> {
  return new Map(
    tables.flatMap((table) => [
      [table.name, table] as const,
      ...table.parts.map(({ schema, name }) => [`${schema}.${name}`, table] as const),
    ]),
  )
}

/** A SELECT list of columns in the form that the engine reads. @param from the alias of what has them */
export function jsonColumns(columns: readonly SourceColumn[], from: string): string {
  return columns
    .map((column) => {
      const name = escapeIdentifier(column.name)
      return `${jsonValue(column, `${from}.${name}`)} AS ${name}`
    })
    .join(', ')
}

/** A value of a column as a literal of its type. @param text as the server writes it */
export function typedLiteral({ type }: SourceColumn, text: string): string {
  return `${escapeLiteral(text)}::${type}`
}

/** The destination table of a mapping. */
export function definitionFor(pipe: PipeDocument, table: SourceTable): TableDefinition {
  const { columns, mapping } = table
  const sortingKey = sortingKeyOf(table)
  const allowNullable = pipe.source?.postgres?.settings?.allowNullableColumns ?? false
  const engine = mapping.tableEngine ?? (sortingKey.length > 0 ? 'ReplacingMergeTree' : 'MergeTree')
  return {
    engine,
    columns: columns.map((column) => ({
      name: column.name,
      type: engineTypeOf(allowNullable ? column : { ...column, notNull: true }),
    })),
    sortingKey,
    isVersioned: engine === 'ReplacingMergeTree',
    ...(mapping.partitionByExpr && { partitionBy: mapping.partitionByExpr }),
  }
}

/** @returns why a mapping does not fit the table, as a sentence; null if it does */
export function mappingProblem({ name, columns, mapping }: SourceTable): string | null {
  if (columns.length === 0)
    return `all columns of ${name} are excluded: map one of them, or remove the table from the pipe`
  const known = new Set(columns.map((column) => column.name))
  const missing = mapping.useCustomSortingKey ? mapping.sortingKeys?.find((key) => !known.has(key)) : undefined
  return missing === undefined ? null : `${name} has no column ${missing}, which is in its sorting key`
}

function sortingKeyOf({ mapping, primaryKey }: SourceTable): readonly string[] {
  return mapping.useCustomSortingKey ? (mapping.sortingKeys ?? []) : primaryKey.map(({ name }) => name)
}

/** Whether a later version of a row replaces an earlier one: the destination is sorted by the source's key. */
export async function takesVersions(
  { primaryKey }: SourceTable,
  target: DestinationTable,
  engine: Pick<Engine, 'dialect' | 'query'>,
): Promise<boolean> {
  const storage = await storageOf(engine, target)
  const [found] = await engine.query<{ engine: string; key: string[] }>(
    `SELECT any(engine_full) AS engine, groupArrayIf(c.name, c.is_in_sorting_key) AS key
     FROM system.tables AS t JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
     WHERE t.database = {database:String} AND t.name = {table:String}`,
    { params: { database: storage.database, table: storage.table } },
  )
  const wanted = primaryKey.map(({ name }) => name)
  const isSorted = found?.key.length === wanted.length && wanted.every((name) => found.key.includes(name))
  if (!isSorted) return false
  const engineOf = parseTableEngine(found.engine)
  return (
    engineOf.name === 'ReplacingMergeTree' && engineOf.arguments.length > 1 && engineOf.arguments[0] === versionColumn
  )
}
