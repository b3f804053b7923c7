/** The tables that statements may read, with their columns and sizes. */
import type { SqlTable } from '#contract/stack/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { canRead, documentedName, ordinaryEngines, type ReadableDatabases } from '../readableTables.ts'

/** More are left out: nobody looks through them, and statements can read them all the same. */
const maxTables = 1000
const maxColumns = 50_000

interface TableRow {
  database: string
  name: string
  engine: string
  key: string
  rows: string | null
  bytes: string | null
}

interface ColumnRow {
  database: string
  table: string
  name: string
  type: string
  kind: string
  bytes: string
}

export async function listTables(engine: Engine, databases: ReadableDatabases, signal: AbortSignal) {
  const found = await engine.query<{ database: string }>('SELECT name AS database FROM system.databases', { signal })
  const readable = found.map(({ database }) => database).filter((name) => canRead(databases, name))
  const params = { databases: readable, ordinary: ordinaryEngines.source }
  const [tables, columns] = await Promise.all([
    engine.query<TableRow>(
      `SELECT database, name, engine, sorting_key AS key, total_rows AS rows, total_bytes AS bytes FROM system.tables
       WHERE database IN {databases:Array(String)} AND match(engine, {ordinary:String}) AND NOT startsWith(name, '.inner')
       ORDER BY database, name LIMIT ${maxTables}`,
      { params, signal },
    ),
    engine.query<ColumnRow>(
      `SELECT database, table, name, type, default_kind AS kind, data_compressed_bytes AS bytes FROM system.columns
       WHERE database IN {databases:Array(String)} ORDER BY database, table, position LIMIT ${maxColumns}`,
      { params: { databases: readable }, signal },
    ),
  ])
  const nameOf = (database: string, table: string) => JSON.stringify([database, table])
  const columnsOf = new Map(tables.map(({ database, name }): [string, ColumnRow[]] => [nameOf(database, name), []]))
  for (const column of columns) columnsOf.get(nameOf(column.database, column.table))?.push(column)
  return tables.map(({ database, name, engine: kind, key, rows, bytes }): SqlTable => ({
    database: database === engine.database ? documentedName(engine) : database,
    name,
    engine: kind,
    ...(key !== '' && { sortingKey: key }),
    ...(rows !== null && { rows: Number(rows) }),
    ...(bytes !== null && { bytes: Number(bytes) }),
    columns: (columnsOf.get(nameOf(database, name)) ?? []).map((column) => ({
      name: column.name,
      type: column.type,
      ...(column.kind !== '' && { kind: column.kind }),
      ...(column.bytes !== '0' && { bytes: Number(column.bytes) }),
    })),
  }))
}
