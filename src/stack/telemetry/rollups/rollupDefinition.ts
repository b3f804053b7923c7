/**
 * Whether a table is the roll-up that it is called: how the engine fills it and merges its rows. One materialized view has to
 * compute it from all rows of the table, and no other may write to it. Read from the engine at most once a minute.
 */
import type { Engine } from '../engine/engine.ts'
import { engineMemory } from '../engine/engineMemory.ts'
import { storageOf } from '../engine/tableChanges.ts'
import { parseTableEngine } from '../engine/tableEngine.ts'
import { tableSql, type TableName } from '../engine/tableName.ts'
import { readSyntaxTree } from '../expression/syntaxTree.ts'
import { ownRollups, rollupOf, selectOfRollup, sortedColumns } from './ownRollups.ts'
import { labelOf, rollupFunctions, type RolledColumn, type Rollup } from './rollup.ts'
import { readValueView } from './valueView.ts'
import { readViewStatement, type ViewStatement } from './viewStatement.ts'

/** The table whose rows are rolled up. */
export interface RolledTable {
  table: TableName
  /** The column with the time of a row. */
  time: string
  /** The column by which charts put rows into buckets, if it is another one. */
  exactTime?: string
}

type Asking = Pick<Engine, 'dialect' | 'query' | 'database' | 'identity'>

const definitions = engineMemory<Rollup | string>({ keepMs: 60_000 })

/** The roll-up with those of its aggregates that are right, and the database of its table; or what is wrong with it. */
export function definedRollup(engine: Asking, rollup: Rollup, base: RolledTable): Promise<Rollup | string> {
  return definitions(engine, JSON.stringify([rollup, base]), () => checked(engine, rollup, base))
}

interface Described {
  name: TableName
  engine_full: string
  sorting_key: string
  partition_key: string
  types: ReadonlyMap<string, string>
  /** The expressions of columns that have one. */
  computed: ReadonlyMap<string, string>
}

async function checked(engine: Asking, rollup: Rollup, base: RolledTable): Promise<Rollup | string> {
  // The parts of other servers are not known to the one that answers.
  if (engine.dialect.kind === 'cluster') return 'roll-ups of a cluster are not read'
  const [zone] = await engine.query<{ zone: string }>('SELECT timezone() AS zone')
  if (!/^(Etc\/)?UTC$/.test(zone?.zone ?? '')) return 'the engine counts days in another zone than UTC'
  const rolled = await described(engine, rollup.table)
  const rows = await described(engine, base.table)
  if (!rolled || !rows) return 'there is no such table'
  const select = await selectInto(engine, rolled.name)
  if (select === undefined) return 'there is not one materialized view that writes to it'
  const ofTimes = timeProblem({ rollup, base, rolled, rows })
  if (ofTimes !== undefined) return ofTimes
  const tree = await treeOf(engine, select)
  if (rollup.total) return labeledRollup(engine, { rollup, base, rolled, rows, select, tree })
  const view = readViewStatement(select, readSyntaxTree(tree), rows.name)
  if (view?.from !== `${rows.name.database}.${rows.name.table}`)
    return 'it is not what a materialized view computes from all rows of the table'
  const problem = dimensionProblem({ rollup, base, rolled, rows, view })
  if (problem !== undefined) return problem
  const aggregates = rollup.aggregates.filter((aggregate) => isRight(aggregate, { rolled, rows, view }))
  return { ...rollup, table: rolled.name, aggregates }
}

/** Keys are counted by the stack's own roll-ups only, values also by those of other collectors. */
async function labeledRollup(
  engine: Asking,
  { select, tree, ...tables }: TwoTables & { select: string; tree: readonly string[] },
): Promise<Rollup | string> {
  const { rollup, base, rolled, rows } = tables
  const own = ownRollups.find(({ table }) => table === rolled.name.table)
  const expected = own && (await treeOf(engine, selectOfRollup(own, rows.name)))
  const isOwn = expected?.join('\n') === tree.join('\n') && base.time === rollup.time
  if (isOwn && own)
    return labeledProblem({ ...tables, rollup: rollupOf(own) }) ?? { ...rollupOf(own), table: rolled.name }
  const view = rollup.valuesOf && readValueView(select, readSyntaxTree(tree), { table: rows.name, time: rollup.time })
  if (!view) return 'it is no view of keys or values that is known'
  const { of, seconds } = view.step
  if (seconds !== rollup.step || (of !== base.time && of !== base.exactTime))
    return `${rollup.time} is not the start of a step of ${rollup.step} s`
  const isCounted = view.values.columns.some((column) => labelOf({ column }).key === rollup.total?.key)
  if (!isCounted) return 'no column in it counts all rows'
  const read: Rollup = { ...rollup, table: rolled.name, valuesOf: view.values }
  return labeledProblem({ ...tables, rollup: read }) ?? read
}

function labeledProblem({ rollup, rolled, rows }: TwoTables): string | undefined {
  const { maps = [], columns = [] } = rollup.valuesOf ?? {}
  const isText = (name: string) => /^(LowCardinality\()?String\)?$/.test(rows.types.get(name) ?? '')
  const isTexts = (name: string) => /^Map\((LowCardinality\()?String\)?, String\)$/.test(rows.types.get(name) ?? '')
  const other = columns.find((name) => !isText(name)) ?? maps.find((name) => !isTexts(name))
  if (other) return `${other} is not text`
  if (!isAdded(rolled)) return 'its counts are not added up'
  return mergeProblem(rolled, [rollup.time, ...sortedColumns(rollup)])
}

/** Whether merges keep the counts of keys or values. */
function isAdded({ types, engine_full }: Described): boolean {
  const { name: merging } = parseTableEngine(engine_full)
  const type = types.get('count')
  return type === 'SimpleAggregateFunction(sum, UInt64)' || (type === 'UInt64' && merging !== 'AggregatingMergeTree')
}

async function described(engine: Asking, name: TableName): Promise<Described | undefined> {
  const storage = await storageOf(engine, name)
  const found = { database: storage.database || engine.database, table: storage.table }
  const [row] = await engine.query<Omit<Described, 'types' | 'computed' | 'name'>>(
    `SELECT engine_full, sorting_key, partition_key FROM system.tables
     WHERE database = {database:String} AND name = {table:String}`,
    { params: found },
  )
  if (!row) return undefined
  const columns = await engine.query<{ name: string; type: string; default_expression: string }>(
    `DESCRIBE TABLE ${tableSql(found)}`,
  )
  return {
    ...row,
    name: found,
    types: new Map(columns.map(({ name: column, type }) => [column, type])),
    computed: new Map(columns.map(({ name: column, default_expression: expression }) => [column, expression])),
  }
}

/** The SELECT of the one materialized view that writes to a table; undefined without one, or if there are others. */
async function selectInto(engine: Asking, rolled: TableName): Promise<string | undefined> {
  const all = await engine.query<{ as_select: string; create_table_query: string }>(
    `SELECT as_select, create_table_query FROM system.tables WHERE engine = 'MaterializedView'`,
  )
  const [only, ...others] = all.filter(({ create_table_query }) => writesTo(create_table_query, rolled))
  const isRefreshed = only && / REFRESH (EVERY|AFTER) /.test(only.create_table_query.slice(0, -only.as_select.length))
  return others.length > 0 || isRefreshed ? undefined : only?.as_select
}

/** @param definition the `create_table_query` of a table of any engine */
export function writesTo(definition: string, { database, table }: TableName): boolean {
  const target = /^CREATE MATERIALIZED VIEW .*? TO (`[^`]+`|\w+)\.(`[^`]+`|\w+)/.exec(definition)
  return unquoted(target?.[1] ?? '') === database && unquoted(target?.[2] ?? '') === table
}

/** The rows of the engine's parse tree of a statement. */
async function treeOf(engine: Asking, select: string): Promise<string[]> {
  const rows = await engine.query<{ explain: string }>(`SELECT explain FROM (EXPLAIN AST ${select})`)
  return rows.map(({ explain }) => explain)
}

const unquoted = (name: string): string => name.replaceAll('`', '')

/** A roll-up and the table whose rows it has, as they are said to be and as the engine describes them. */
interface TwoTables {
  rollup: Rollup
  base: RolledTable
  rolled: Described
  rows: Described
}

/** Steps and days have to be those of UTC, as they are counted elsewhere. */
function timeProblem({ rollup: { time }, base, rolled, rows }: TwoTables): string | undefined {
  const { exactTime = base.time } = base
  if (!/^DateTime(\('UTC'\))?$/.test(rolled.types.get(time) ?? '')) return `${time} is not of the type DateTime`
  if (!/^DateTime(64\(\d\))?$|^DateTime(64)?\((\d, )?'UTC'\)$/.test(rows.types.get(base.time) ?? ''))
    return `${base.time} is not a time in UTC`
  if (unquoted(rows.partition_key) !== `toDate(${base.time})`) return 'the rows are not partitioned by their day'
  const isSame = exactTime === base.time || rows.computed.get(base.time) === `toDateTime(${exactTime})`
  return isSame ? undefined : `charts put the rows into buckets by ${exactTime}`
}

function dimensionProblem({ rollup, base, rolled, rows, view }: TwoTables & { view: ViewStatement }) {
  const { time, step, dimensions } = rollup
  const steps = view.columns.get(time)
  if (steps?.kind !== 'step' || steps.of !== base.time || steps.seconds !== step)
    return `${time} is not the start of a step of ${step} s`
  const changed = dimensions.find(
    (name) => view.columns.get(name)?.kind !== 'column' || plainType(rolled, name) !== plainType(rows, name),
  )
  if (changed !== undefined) return `${changed} is not that of the rows`
  return mergeProblem(rolled, [time, ...dimensions])
}

/** Merges have to leave the columns that tell rows apart. */
function mergeProblem({ engine_full, sorting_key }: Described, columns: readonly string[]): string | undefined {
  const { name: merging, arguments: engineArguments } = parseTableEngine(engine_full)
  if (merging === 'MergeTree') return undefined
  if (merging !== 'AggregatingMergeTree' && !(merging === 'SummingMergeTree' && engineArguments.length === 0))
    return `rows of the engine ${merging} are not added up`
  const keys = unquoted(sorting_key).split(', ')
  const unsorted = columns.find((column) => !keys.includes(column))
  return unsorted && `${unsorted} is lost in merges, because it is not in the sorting key`
}

const plainType = ({ types }: Described, name: string): string | undefined =>
  types.get(name)?.replace(/^LowCardinality\((.*)\)$/s, '$1')

/** Whether a column has an aggregate that adds up to that of the rows, exactly. */
function isRight(
  { aggFn, column, of }: RolledColumn,
  { rolled, rows, view }: Pick<TwoTables, 'rolled' | 'rows'> & { view: ViewStatement },
): boolean {
  const computed = view.columns.get(column)
  const merged = aggFn === 'count' ? 'sum' : aggFn
  const type = rolled.types.get(column) ?? ''
  const stored = /^SimpleAggregateFunction\((\w+), (.*)\)$/.exec(type)
  const { name: merging } = parseTableEngine(rolled.engine_full)
  const isKept =
    merging === 'MergeTree' || stored?.[1] === merged || (merging === 'SummingMergeTree' && !stored && merged === 'sum')
  if (!isKept || unquoted(rolled.sorting_key).split(', ').includes(column)) return false
  if (!rollupFunctions.some((name) => name === aggFn)) return false
  if (computed?.kind !== 'aggregate' || computed.aggFn !== aggFn || computed.of !== of) return false
  const value = stored?.[2] ?? type
  const width = Number(/^U?Int(\d+)$/.exec(value)?.[1] ?? 0)
  if (of === undefined) return width >= 64
  const bits = Number(/^U?Int(\d+)$/.exec(rows.types.get(of) ?? '')?.[1] ?? 0)
  // Sums of doubles depend on their order. Those of 64 bits may not fit into as many.
  if (bits === 0 || bits > 64) return false
  if (merged !== 'sum') return value === rows.types.get(of)
  return bits < 64 ? width >= 64 : computed.wide && width >= 128
}
