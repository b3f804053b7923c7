/** The columns of a table, asked for once, and what a filter or an aggregate may do with their types. */
import type { Engine } from './engine.ts'

export type ColumnType =
  | { kind: 'number' | 'text' | 'bool' | 'time' | 'json' | 'other' }
  | { kind: 'map'; value: ColumnType }
  | { kind: 'array'; item: ColumnType }

export type Columns = ReadonlyMap<string, ColumnType>

export interface TableName {
  database: string
  table: string
}

const families: [pattern: RegExp, kind: Exclude<ColumnType['kind'], 'map' | 'array'>][] = [
  [/^(U?Int\d+|BFloat16|Float\d+|Decimal\d*)\b/, 'number'],
  [/^(String|FixedString)\b/, 'text'],
  [/^Bool\b/, 'bool'],
  [/^(Date|Date32|DateTime|DateTime64)\b/, 'time'],
  [/^(JSON|Object|Dynamic|Variant)\b/, 'json'],
]

/** Reads a type as the engine spells it, `Map(LowCardinality(String), String)`. */
export function columnType(name: string): ColumnType {
  const wrapped = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(name)?.[1]
  if (wrapped) return columnType(wrapped)
  const simple = /^SimpleAggregateFunction\(\w+, (.*)\)$/s.exec(name)?.[1]
  if (simple) return columnType(simple)
  const item = /^Array\((.*)\)$/s.exec(name)?.[1]
  if (item) return { kind: 'array', item: columnType(item) }
  const value = /^Map\((?:LowCardinality\(String\)|String), (.*)\)$/s.exec(name)?.[1]
  if (value) return { kind: 'map', value: columnType(value) }
  return { kind: families.find(([pattern]) => pattern.test(name))?.[1] ?? 'other' }
}

const keepMs = 60_000
const known = new WeakMap<Engine, Map<string, { columns: Promise<Columns>; until: number }>>()

/** The columns of a table, aliases included. Rejects with EngineError (code 60 or 81) when there is no such table. */
export function columnsOf(engine: Engine, name: TableName): Promise<Columns> {
  const tables = known.get(engine) ?? new Map<string, { columns: Promise<Columns>; until: number }>()
  known.set(engine, tables)
  const sql = tableSql(name)
  const entry = tables.get(sql)
  if (entry && performance.now() < entry.until) return entry.columns
  const columns = describe(engine, sql)
  tables.set(sql, { columns, until: performance.now() + keepMs })
  columns.catch(() => tables.delete(sql))
  return columns
}

async function describe(engine: Engine, table: string): Promise<Columns> {
  const rows = await engine.query<{ name: string; type: string }>(`DESCRIBE TABLE ${table}`)
  return new Map(rows.map((row) => [row.name, columnType(row.type)]))
}

/** An empty database name is the connection's own. */
export function tableSql({ database, table }: TableName): string {
  return database ? `${quoted(database)}.${quoted(table)}` : quoted(table)
}

/** An identifier that nothing can break out of. */
export function quoted(identifier: string): string {
  return `\`${identifier.replaceAll(/[\\`]/g, (character) => `\\${character}`)}\``
}
