/**
 * Whether a table is the roll-up that it is called: how the engine fills it and merges its rows. One materialized view has to
 * compute it from all rows of the table, and no other may write to it. Read from the engine at most once a minute.
 */
import type { Engine } from '../engine/engine.ts'
import { storageOf } from '../engine/tableChanges.ts'
import { parseTableEngine } from '../engine/tableEngine.ts'
import { tableSql, type TableName } from '../engine/tableName.ts'
import { readSyntaxTree } from '../expression/syntaxTree.ts'
import { rollupFunctions, type RolledColumn, type Rollup } from './rollup.ts'
import { readViewStatement, type ViewStatement } from './viewStatement.ts'

/** The table whose rows are rolled up. */
export interface RolledTable {
  table: TableName
  /** The column with the time of a row. */
  time: string
}

type Asking = Pick<Engine, 'dialect' | 'query' | 'database' | 'progressOf'>

interface Entry {
  rollup: Promise<Rollup | string>
  until: number
}

const keepMs = 60_000
/** By a function that all forms of one engine have in common. */
const known = new WeakMap<Engine['progressOf'], Map<string, Entry>>()

/** The roll-up with those of its aggregates that are right, and the database of its table; or what is wrong with it. */
export function definedRollup(engine: Asking, rollup: Rollup, base: RolledTable): Promise<Rollup | string> {
  const entries = known.get(engine.progressOf) ?? new Map<string, Entry>()
  known.set(engine.progressOf, entries)
  const key = JSON.stringify([rollup, base])
  const entry = entries.get(key)
  if (entry && performance.now() < entry.until) return entry.rollup
  const defined = checked(engine, rollup, base)
  entries.set(key, { rollup: defined, until: performance.now() + keepMs })
  defined.catch(() => entries.delete(key))
  return defined
}

interface Described {
  name: TableName
  engine_full: string
  sorting_key: string
  partition_key: string
  types: ReadonlyMap<string, string>
}

async function checked(engine: Asking, rollup: Rollup, base: RolledTable): Promise<Rollup | string> {
  // The parts of other servers are not known to the one that answers.
  if (engine.dialect.kind === 'cluster') return 'roll-ups of a cluster are not read'
  const [zone] = await engine.query<{ zone: string }>('SELECT timezone() AS zone')
  if (!/^(Etc\/)?UTC$/.test(zone?.zone ?? '')) return 'the engine counts days in another zone than UTC'
  const rolled = await described(engine, rollup.table)
  const rows = await described(engine, base.table)
  if (!rolled || !rows) return 'there is no such table'
  const view = await viewInto(engine, rolled.name, rows.name)
  if (!view) return 'it is not what one materialized view computes from all rows of the table'
  const problem = dimensionProblem({ rollup, base, rolled, rows, view })
  if (problem !== undefined) return problem
  const aggregates = rollup.aggregates.filter((one) => isRight(one, { rolled, rows, view }))
  return { ...rollup, table: rolled.name, aggregates }
}

async function described(engine: Asking, name: TableName): Promise<Described | undefined> {
  const storage = await storageOf(engine, name)
  const found = { database: storage.database || engine.database, table: storage.table }
  const [row] = await engine.query<Omit<Described, 'types' | 'name'>>(
    `SELECT engine_full, sorting_key, partition_key FROM system.tables
     WHERE database = {database:String} AND name = {table:String}`,
    { params: found },
  )
  if (!row) return undefined
  const columns = await engine.query<{ name: string; type: string }>(`DESCRIBE TABLE ${tableSql(found)}`)
  return { ...row, name: found, types: new Map(columns.map(({ name: column, type }) => [column, type])) }
}

/** The SELECT of the one materialized view that writes to a table; null if it is not of the rows, or there are others. */
async function viewInto(engine: Asking, rolled: TableName, rows: TableName): Promise<ViewStatement | null> {
  const all = await engine.query<{ as_select: string; create_table_query: string }>(
    `SELECT as_select, create_table_query FROM system.tables WHERE engine = 'MaterializedView'`,
  )
  const into = all.filter((one) => {
    const [, database = '', table = ''] =
      /^CREATE MATERIALIZED VIEW .*? TO (`[^`]+`|\w+)\.(`[^`]+`|\w+)/.exec(one.create_table_query) ?? []
    return unquoted(database) === rolled.database && unquoted(table) === rolled.table
  })
  const [only, ...others] = into
  const isRefreshed = only && / REFRESH (EVERY|AFTER) /.test(only.create_table_query.slice(0, -only.as_select.length))
  if (!only || others.length > 0 || isRefreshed) return null
  const tree = await engine.query<{ explain: string }>(`SELECT explain FROM (EXPLAIN AST ${only.as_select})`)
  const view = readViewStatement(only.as_select, readSyntaxTree(tree.map(({ explain }) => explain)), rows)
  return view?.from === `${rows.database}.${rows.table}` ? view : null
}

const unquoted = (name: string): string => name.replaceAll('`', '')

interface Found {
  rolled: Described
  rows: Described
  view: ViewStatement
}

function dimensionProblem({ rollup, base, rolled, rows, view }: Found & { rollup: Rollup; base: RolledTable }) {
  const { time, step, dimensions } = rollup
  const steps = view.columns.get(time)
  if (steps?.kind !== 'step' || steps.of !== base.time || steps.seconds !== step)
    return `${time} is not the start of a step of ${step} s`
  if (!/^DateTime(\('UTC'\))?$/.test(rolled.types.get(time) ?? '')) return `${time} is not of the type DateTime`
  if (unquoted(rows.partition_key) !== `toDate(${base.time})`) return 'the rows are not partitioned by their day'
  const changed = dimensions.find(
    (name) => view.columns.get(name)?.kind !== 'column' || plainType(rolled, name) !== plainType(rows, name),
  )
  if (changed !== undefined) return `${changed} is not that of the rows`
  const { name: merging, arguments: given } = parseTableEngine(rolled.engine_full)
  if (merging === 'MergeTree') return undefined
  if (merging !== 'AggregatingMergeTree' && !(merging === 'SummingMergeTree' && given.length === 0))
    return `rows of the engine ${merging} are not added up`
  const keys = unquoted(rolled.sorting_key).split(', ')
  const unsorted = [time, ...dimensions].find((column) => !keys.includes(column))
  return unsorted && `${unsorted} is lost in merges, because it is not in the sorting key`
}

const plainType = ({ types }: Described, name: string): string | undefined =>
  types.get(name)?.replace(/^LowCardinality\((.*)\)$/s, '$1')

/** Whether a column has an aggregate that adds up to that of the rows, exactly. */
function isRight({ aggFn, column, of }: RolledColumn, { rolled, rows, view }: Found): boolean {
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
  const given = Number(/^U?Int(\d+)$/.exec(rows.types.get(of) ?? '')?.[1] ?? 0)
  // Sums of doubles depend on their order. Those of 64 bits may not fit into as many.
  if (given === 0 || given > 64) return false
  if (merged !== 'sum') return value === rows.types.get(of)
  return given < 64 ? width >= 64 : computed.wide && width >= 128
}
