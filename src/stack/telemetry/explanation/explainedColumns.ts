/** The columns whose values an explanation counts, as lists of attributes with their values in SQL. */
import type { Source } from '#contract/stack/sources.ts'
import { isCompared } from '#domain/explanation/comparedColumns.ts'
import type { Engine } from '../engine/engine.ts'
import { engineMemory } from '../engine/engineMemory.ts'
import { quoted, tableSql, type TableName } from '../engine/tableName.ts'
import { columnType, type ColumnType } from '../tableLayout.ts'

/** A column, by its place in the list of those that are counted. */
export interface ExplainedColumn {
  name: string
  type: ColumnType
  /** The engine lists the paths of its objects, which is faster than to write them out. */
  listsPaths: boolean
}

const memory = engineMemory<ExplainedColumn[]>({ keepMs: 60_000 })

/** The stored columns of a table that are compared: those that a search for `*` answers. */
export async function explainedColumns(engine: Engine, table: TableName, source: Source): Promise<ExplainedColumn[]> {
  const columns = await memory(engine, tableSql(table), () => starColumns(engine, table))
  return columns.filter(({ name, type }) => isCompared(source, name) && isValue(type))
}

async function starColumns(engine: Engine, table: TableName): Promise<ExplainedColumn[]> {
  const columns = await engine.query<{ name: string; type: string }>(`DESCRIBE (SELECT * FROM ${tableSql(table)})`)
  return columns.map(({ name, type }) => ({ name, type: columnType(type), listsPaths: /^JSON\b/.test(type) }))
}

const isValue = ({ kind }: ColumnType): boolean => !['time', 'array', 'tuple', 'state'].includes(kind)

/** A list of (place of the column, key of the map or empty, value as text). Values that are missing are empty. */
export function pairsSql(columns: readonly ExplainedColumn[]): string {
  const lists = columns.flatMap(({ name, type }, place) => {
    const column = quoted(name)
    if (type.kind === 'map') return mapPairs(place, column, type.value)
    return type.kind === 'json' ? jsonPairs(place, column) : []
  })
  const plain = columns.flatMap(({ name, type }, place) =>
    type.kind === 'map' || type.kind === 'json' ? [] : pairSql(place, `''`, textSql(quoted(name), type)),
  )
  return `arrayConcat([${[pairSql(everyRow, `''`, `'row'`), ...plain].join(', ')}], ${[...lists, emptyList].join(', ')})`
}

/** The place of what every row has, by which rows are counted. */
export const everyRow = 65_535

const pairType = 'Tuple(UInt16, String, String)'
const emptyList = `CAST([], 'Array(${pairType})')`

const pairSql = (place: number, key: string, value: string): string =>
  `CAST((${place}, ${key}, ${value}), '${pairType}')`

/** A key that is in a map twice has its first value, as where it is read. */
function mapPairs(place: number, column: string, value: ColumnType): string {
  const keys = `mapKeys(${column})`
  const pairs = `arrayMap((__key, __text) -> ${pairSql(place, '__key', textSql('__text', value))}, ${keys}, mapValues(${column}))`
  return `arrayFilter((__pair, __time) -> __time = 1, ${pairs}, arrayEnumerateUniq(${keys}))`
}

const jsonPairs = (place: number, column: string): string =>
  `arrayMap(__pair -> ${pairSql(place, '__pair.1', '__pair.2')}, JSONExtractKeysAndValues(toJSONString(${column}), 'String'))`

/** At least as many as the attributes that a row has in the lists of its columns. */
export function lengthsSql(columns: readonly ExplainedColumn[]): string[] {
  return columns.flatMap(({ name, type, listsPaths }) => {
    const column = quoted(name)
    if (type.kind === 'map') return [`length(${column})`]
    if (type.kind !== 'json') return []
    return [listsPaths ? `length(JSONAllPaths(${column}))` : `length(JSONExtractKeys(toJSONString(${column})))`]
  })
}

/** A value as a search writes it; empty for NULL, NaN and infinities, which have no number in JSON. */
function textSql(value: string, type: ColumnType): string {
  if (type.kind === 'array' || type.kind === 'map' || type.kind === 'tuple') return `toJSONString(${value})`
  const text = `ifNull(toString(${value}), '')`
  if (type.kind !== 'number' || !type.floating) return text
  // Zero has one sign.
  return `multiIf(NOT ifNull(isFinite(${value}), 0), '', ${value} = 0, '0', ${text})`
}
