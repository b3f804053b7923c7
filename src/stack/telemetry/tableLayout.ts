/** The columns of a table with their types, and how its rows are sorted by time. Cached for a minute. */
import type { Engine } from './engine/engine.ts'
import { engineMemory } from './engine/engineMemory.ts'
import { findTable } from './readableTables.ts'
import { storageOf } from './engine/tableChanges.ts'
import { quoted, tableSql, type TableName } from './engine/tableName.ts'

export type ColumnType =
  /**
   * `floating`: a value may be NaN or infinite. `decimal`: how many digits it has, for which a double may not have room.
   * `sum`: the type that has room for a sum of integers, where the engine would add them up in one that may not.
   * `digits` of the second that a time has; absent for dates. `words`: the index on the words of a column, in lower case.
   * `keysIndexed`: there is an index on the keys of a map.
   */
  (
    | { kind: 'number'; floating?: true; decimal?: number; sum?: 'Int128' | 'Int256' }
    | { kind: 'text'; words?: WordIndex }
    | { kind: 'bool' | 'json' | 'tuple' | 'state' | 'other' }
    | { kind: 'time'; digits?: number }
    | { kind: 'map'; value: ColumnType; keysIndexed?: true }
    | { kind: 'array'; item: ColumnType }
  ) & { nullable?: true }

/** `text`: an index that lists the words, so that parts of them are found as well. `bloom`: a filter of whole words. */
type WordIndex = 'text' | 'bloom'

export type Columns = ReadonlyMap<string, ColumnType>

type Family = Exclude<ColumnType['kind'], 'map' | 'array' | 'number' | 'time'>
const families: [pattern: RegExp, kind: Family][] = [
  [/^(String|FixedString)\b/, 'text'],
  [/^Bool\b/, 'bool'],
  [/^(Tuple|Point)\b/, 'tuple'],
  [/^AggregateFunction\b/, 'state'],
  [/^(JSON|Object|Dynamic|Variant)\b/, 'json'],
]

/** Reads a type as the engine spells it, `Map(LowCardinality(String), String)`. */
export function columnType(name: string): ColumnType {
  const nullable = /^Nullable\((.*)\)$/s.exec(name)?.[1]
  if (nullable) return { ...columnType(nullable), nullable: true }
  const wrapped = /^LowCardinality\((.*)\)$/s.exec(name)?.[1]
  if (wrapped) return columnType(wrapped)
  const simple = /^SimpleAggregateFunction\(\w+, (.*)\)$/s.exec(name)?.[1]
  if (simple) return columnType(simple)
  const item = /^Array\((.*)\)$/s.exec(name)?.[1]
  if (item) return { kind: 'array', item: columnType(item) }
  const value = /^Map\((?:LowCardinality\(String\)|String), (.*)\)$/s.exec(name)?.[1]
  if (value) return { kind: 'map', value: columnType(value) }
  const decimal = /^Decimal\((\d+)/.exec(name)?.[1]
  if (decimal) return { kind: 'number', decimal: Number(decimal) }
  const integer = /^U?Int(\d+)\b/.exec(name)?.[1]
  if (integer && Number(integer) < 64) return { kind: 'number' }
  if (integer) return { kind: 'number', sum: integer === '64' ? 'Int128' : 'Int256' }
  if (/^(BFloat16|Float\d+)\b/.test(name)) return { kind: 'number', floating: true }
  const time = /^Date(?:32\b|Time64\((\d)|(Time)?\b)/.exec(name)
  if (time) return { kind: 'time', ...((time[1] || time[2]) && { digits: Number(time[1] ?? 0) }) }
  return { kind: families.find(([pattern]) => pattern.test(name))?.[1] ?? 'other' }
}

export interface TableLayout {
  columns: Columns
  /** The part of a time column by which the rows are sorted, `toStartOfFiveMinutes` of `Timestamp`: parts that no time zone moves. */
  timeKeys: readonly { function: string; column: string }[]
}

const layouts = engineMemory<TableLayout>({ keepMs: 60_000 })

/** The columns of a table, aliases included, read at most once a minute. Rejects with SourceTableError when there is no such table. */
export function layoutOf(engine: Engine, name: TableName): Promise<TableLayout> {
  return layouts(engine, tableSql(name), () => describe(engine, name))
}

async function describe(engine: Engine, name: TableName): Promise<TableLayout> {
  const { sortingKey } = await findTable(engine, name)
  const columns = await engine.query<{ name: string; type: string }>(`DESCRIBE TABLE ${tableSql(name)}`)
  const indexes = await indexesOf(engine, name)
  const sorted = [...sortingKey.matchAll(/\b(toStartOf(?:Five|Ten|Fifteen)?Minutes?)\(`?(\w+)`?\)/g)]
  return {
    columns: new Map(columns.map(({ name: column, type }) => [column, indexed(columnType(type), column, indexes)])),
    timeKeys: sorted.map(([, name = '', column = '']) => ({ function: name, column: quoted(column) })),
  }
}

interface SkipIndex {
  expr: string
  type: string
}

/** The indexes that conditions are written for. A view has none of its own, and a Distributed table those of what stores its rows. */
async function indexesOf(engine: Engine, name: TableName): Promise<SkipIndex[]> {
  const { database, table } = await storageOf(engine, name)
  return engine.query<SkipIndex>(
    `SELECT expr, type_full AS type FROM system.data_skipping_indices
     WHERE database = if({database:String} = '', currentDatabase(), {database:String}) AND table = {table:String}`,
    { params: { database, table } },
  )
}

/** A text index as an engine spells it, without steps that change its words. */
const wordList = /^text\(tokenizer = '?(splitByNonAlpha|default)'?\)$/
const keyList = /^(text\(tokenizer = '?array'?\)|bloom_filter\b)/

function indexed(type: ColumnType, column: string, indexes: readonly SkipIndex[]): ColumnType {
  const on = (name: string) =>
    indexes.filter(({ expr }) => [column, quoted(column)].some((it) => expr === `${name}(${it})`))
  if (type.kind === 'map')
    return on('mapKeys').some((skipIndex) => keyList.test(skipIndex.type)) ? { ...type, keysIndexed: true } : type
  if (type.kind !== 'text') return type
  const types = on('lower').map((skipIndex) => skipIndex.type)
  if (types.some((indexType) => wordList.test(indexType))) return { ...type, words: 'text' }
  return types.some((indexType) => indexType.startsWith('tokenbf_v1')) ? { ...type, words: 'bloom' } : type
}
