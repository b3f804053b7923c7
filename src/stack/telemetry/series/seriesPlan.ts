/** Plans the series of a chart query, and builds the parts of their SQL. */
import { granularitySeconds, type ChartSeries, type chartQuery } from '#contract/stack/charts.ts'
import { searchedExpressions } from '#contract/stack/sourceExpressions.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { z } from 'zod'
import { Bindings } from '../bindings.ts'
import { columnType, layoutOf, type Columns, type TableLayout } from '../tableLayout.ts'
import type { Engine } from '../engine/engine.ts'
import type { Params } from '../engine/params.ts'
import { checkExpression } from '../expression/expression.ts'
import type { ExpressionUse } from '../expression/syntaxTree.ts'
import { fieldValue, missingField, type Value } from '../fieldExpressions.ts'
import { filterSql } from '../filter/filterSql.ts'
import type { ReadableDatabases } from '../readableTables.ts'
import { tableFilterOf } from '../tableFilter.ts'
import { tableSql, type TableName } from '../engine/tableName.ts'
import { momentSql, readTimes, timeRangeSql, type Times } from '../timeRange.ts'
import { finiteSql } from './aggregateFunctions.ts'
import { at, ChartError } from './chartError.ts'
import { withOther, type GroupKey } from './groupKeys.ts'

/** A chart query, and what only the stack asks itself. */
export type ParsedChartQuery = z.output<typeof chartQuery> & {
  /** For alerts: seconds from a multiple of the granularity to the next bucket. */
  phase?: number
  /** The range is one bucket, and its values are those by which groups are ranked. */
  ranks?: boolean
  /** The groups that stay; all others are one, which the column behind those of the groups marks with 1. */
  kept?: readonly GroupKey[]
}

/** Maximum rows of one statement: groups times buckets. */
export const maxPoints = 100_000

/** A condition in its own language. Several are joined as what they mean, never as text. */
export interface Condition {
  text: string
  language: ChartSeries['whereLanguage']
}

/** One series and the location of its rows. */
export interface Plan {
  index: number
  /** `series.0` */
  path: string
  series: ChartSeries
  /** The condition that its rows satisfy, all of it, where that is more than the condition of the series. */
  conditions?: readonly Condition[]
  source: Source
  table: TableName
  columns: Columns
  timeKeys: TableLayout['timeKeys']
  /** The condition that a source of logs adds to each query; undefined without one. */
  tableFilter: string | undefined
}

/** Columns of the result, by name; the parts of a group are counted from 0. */
export const names = {
  bucket: '__bucket',
  group: (at: number) => `__group_${at}`,
  value: (index: number) => `__value_${index}`,
  present: (index: number) => `__present_${index}`,
  /** Time series of metrics that may begin in the range: see `firstPoints.ts`. */
  undecided: '__undecided',
  /** Columns of ranked groups: the parts of their key, which of them are NULL, and how many groups there are. */
  keyText: (at: number) => `__key_${at}`,
  keyNull: (at: number) => `__null_${at}`,
  total: '__total',
  /** 1 in a row without a value, which is only there for its other columns. */
  absent: '__absent',
}

/** Names of the groups, each after a comma. */
export function groupNames(groups: readonly Value[]): string {
  return groups.map((_, at) => `, ${names.group(at)}`).join('')
}

/** The groups with their names, each after a comma. */
export function groupColumns(groups: readonly Value[]): string {
  return groups.map(({ sql }, at) => `, ${sql} AS ${names.group(at)}`).join('')
}

/** A statement for some of the series, with one row for each bucket and group. */
export interface Statement {
  sql: string
  bindings: Bindings
  /** The number of grouping expressions. */
  groups: number
  plans: Plan[]
  /** Series that only have rows where `names.present` is set; the others have one in every row of the result. */
  sparse: ReadonlySet<number>
  /** The roll-up that most of its range is read from; absent if the rows themselves are read. */
  readFrom?: string
  /** The statement to run instead, according to the rows of this one; null if these are the result. */
  again?: (rows: readonly Record<string, unknown>[], run: Run) => Promise<Statement | null>
}

/** Runs SQL over telemetry. */
export type Run = (sql: string, params: Params) => Promise<Record<string, unknown>[]>

/** The rows of a statement, by time: one more than `maxPoints` at most. */
export function rowsOf(statement: Statement, run: Run, settings = ''): Promise<Record<string, unknown>[]> {
  const ordered = ({ sql }: Statement) => `${sql} ORDER BY ${names.bucket} LIMIT ${maxPoints + 1}${settings}`
  return decidedRows(statement, ordered, run)
}

/** The rows of SQL around a statement, or around the one to run instead. */
export async function decidedRows(
  statement: Statement,
  around: (statement: Statement) => string,
  run: Run,
): Promise<Record<string, unknown>[]> {
  const rows = await run(around(statement), statement.bindings.params)
  const again = await statement.again?.(rows, run)
  return again ? decidedRows(again, around, run) : rows.filter((row) => row[names.absent] !== 1)
}

/** The units that start at another time in another zone, and their lengths in seconds. */
const calendarUnits = [
  [86_400, 'toIntervalDay'],
  [3600, 'toIntervalHour'],
] as const
type CalendarUnit = (typeof calendarUnits)[number]

interface ValueUse extends ExpressionUse {
  /** Whether a tuple is allowed, because values are only compared. */
  tuples?: boolean
}

/** Builds the SQL of one statement over one table. */
export class StatementBuilder {
  readonly bindings: Bindings
  readonly #engine: Engine
  readonly #query: ParsedChartQuery
  readonly #plan: Plan
  readonly step: number

  constructor(engine: Engine, query: ParsedChartQuery, plan: Plan) {
    this.#engine = engine
    this.#query = query
    this.#plan = plan
    this.bindings = new Bindings(`p${plan.index}_`)
    this.step = granularitySeconds(query.granularity, query.startTime, query.endTime)
  }

  get table(): string {
    return tableSql(this.#plan.table)
  }

  get start(): string {
    return this.moment(this.#query.startTime)
  }

  /** The rows of the source in the range. Both ends belong to it. */
  inRange(times: Times, from = this.#query.startTime, to = this.#query.endTime): string {
    const { timeKeys, tableFilter } = this.#plan
    const range = timeRangeSql(times, { from, to, timeKeys }, this.bindings)
    return tableFilter === undefined ? range : `${range} AND ${tableFilter}`
  }

  /** A condition together with that of the source. */
  filtered(condition: string): string {
    const { tableFilter } = this.#plan
    return tableFilter === undefined ? condition : `${condition} AND ${tableFilter}`
  }

  moment(milliseconds: number): string {
    return momentSql(milliseconds, this.bindings)
  }

  /**
   * Start of the bucket, a DateTime: whole steps since 1970, after the phase, or those of the time zone. In whole seconds
   * from the start, because that is cheaper to round.
   */
  bucket(timestamp: string): string {
    if (this.#query.ranks) return `toDateTime(${this.start})`
    const unit = calendarUnits.find(([seconds]) => this.step % seconds === 0)
    if (unit && this.#query.timezone) return this.#localBucket(timestamp, unit, this.#query.timezone)
    const step = `toIntervalSecond(${this.bindings.bind(this.step, 'UInt32')})`
    if (!this.#query.phase) return `toStartOfInterval(toDateTime(${timestamp}), ${step})`
    const phase = `toIntervalSecond(${this.bindings.bind(this.#query.phase, 'UInt32')})`
    return `toStartOfInterval(toDateTime(${timestamp}) - ${phase}, ${step}) + ${phase}`
  }

  /** The engine counts hours and days on the local calendar. It answers days as a Date, which has no zone. */
  #localBucket(timestamp: string, [seconds, toInterval]: CalendarUnit, timezone: string): string {
    const step = `${toInterval}(${this.bindings.bind(this.step / seconds, 'UInt32')})`
    const zone = this.bindings.bind(timezone, 'String')
    const start = `toDateTime(toStartOfInterval(toDateTime(${timestamp}), ${step}, ${zone}), ${zone})`
    return `toTimeZone(${start}, 'UTC')`
  }

  /** The times of a row, for `inRange`. */
  times(): Promise<Times> {
    const { source, path } = this.#plan
    return readTimes(source, (expression) => this.value(expression, `${path}.sourceId`))
  }

  /** The grouping expressions, in the requested order; with `kept`, what they come to, and whether that is the others. @param replaced others, over other rows */
  async groups(replaced?: readonly Value[]): Promise<Value[]> {
    const groups = replaced ?? (await this.#groups())
    return this.#query.kept ? withOther(groups, this.#query.kept, this.bindings) : [...groups]
  }

  #groups(): Promise<Value[]> {
    const { series, path } = this.#plan
    // Only a single group: several would multiply the rows of each other.
    const attributeNames = series.groupBy.length === 1
    return Promise.all(
      series.groupBy.map(async (text, index) => {
        const value = await this.value(text, `${path}.groupBy.${index}`, { attributeNames })
        // JSON has no NaN and no infinity: they are in the group of NULL, as which they would be written.
        const isFloating = value.type.kind === 'number' && value.type.floating
        return isFloating ? { ...value, sql: finiteSql(value.sql) } : value
      }),
    )
  }

  /** Whether groups are ranked. */
  get ranks(): boolean {
    return this.#query.ranks === true
  }

  /**
   * A column, a map key, or a validated SQL expression: a value of one row, or of many if aggregates are allowed.
   */
  value(text: string, path: string, { tuples = false, ...use }: ValueUse = {}): Promise<Value> {
    return at(path, async () => {
      const value = await this.#value(text, path, use)
      if (value.type.kind === 'tuple' && !tuples) {
        throw new ChartError(
          400,
          path,
          'a tuple is not a single value: use one of its elements, as in tupleElement(…, 1)',
        )
      }
      if (value.type.kind === 'state') {
        throw new ChartError(400, path, 'the state of an aggregate is not a value: leave out State, as in uniq(…)')
      }
      return value
    })
  }

  async #value(text: string, path: string, use: ExpressionUse): Promise<Value> {
    const value = fieldValue(text, this.#plan.columns, this.bindings)
    if (value) return value
    if (/^[\w.]+$/.test(text)) throw new ChartError(400, path, missingField(text, this.#plan.columns))
    const { sql, type } = await checkExpression(this.#engine, text, this.#plan.table, use)
    return { sql, type: columnType(type) }
  }

  /** The condition of a series; undefined if it has none. */
  async where({ series, path, conditions }: Plan): Promise<string | undefined> {
    const { where: text, whereLanguage: language } = series
    const wanted = (conditions ?? [{ text, language }]).filter((condition) => condition.text.trim() !== '')
    const parts = await Promise.all(wanted.map((condition) => at(`${path}.where`, () => this.#condition(condition))))
    const all = parts.filter((part) => part !== undefined)
    return all.length > 1 ? all.map((part) => `(${part})`).join(' AND ') : all[0]
  }

  #condition({ text, language }: Condition): Promise<string | undefined> {
    return language === 'sql' ? this.#sqlWhere(text) : this.#filter(text)
  }

  #sqlWhere(text: string): Promise<string> {
    return sqlCondition(this.#engine, text, this.#plan.table, `${this.#plan.path}.where`)
  }

  async #filter(text: string): Promise<string | undefined> {
    const { source, columns, path } = this.#plan
    const searched = searchedExpressions(source).map((expression) => this.value(expression, `${path}.sourceId`))
    return filterSql(text, { columns, searched: await Promise.all(searched), bindings: this.bindings })
  }
}

/** Finds the table of a series and its columns. Throws ChartError, also for a table that its source must not read. */
export async function planOf(
  engine: Engine,
  index: number,
  series: ChartSeries,
  source: Source,
  databases: ReadableDatabases,
): Promise<Plan> {
  const path = `series.${index}`
  const named = tableOf(source, series, path)
  return at(`${path}.sourceId`, async () => {
    const table = { database: databases.resolve(named.database), table: named.table }
    const filter = tableFilterOf(source)
    const tableFilter = filter === '' ? undefined : await sqlCondition(engine, filter, table, `${path}.sourceId`)
    return { index, path, series, source, table, tableFilter, ...(await layoutOf(engine, table)) }
  })
}

/** A condition in SQL. @throws ChartError, ExpressionError */
async function sqlCondition(engine: Engine, text: string, table: TableName, path: string): Promise<string> {
  const { sql, type } = await checkExpression(engine, text, table)
  const { kind } = columnType(type)
  if (kind === 'number' || kind === 'bool') return sql
  throw new ChartError(400, path, `a condition must be true or false, but this has the type ${type}`)
}

/** The table of a series, as its source names it. */
function tableOf(source: Source, series: ChartSeries, path: string): TableName {
  const database = source.from?.databaseName ?? ''
  if (source.kind === 'promql') {
    throw new ChartError(
      400,
      `${path}.sourceId`,
      `${source.name} is a PromQL source: charts read logs, traces and metrics`,
    )
  }
  if (source.kind !== 'metric') {
    if (source.from?.tableName) return { database, table: source.from.tableName }
    throw new ChartError(400, `${path}.sourceId`, `the source ${source.name} has no table`)
  }
  const offered = Object.entries(source.metricTables ?? {}).filter(([, table]) => table)
  const [only, ...others] = offered
  const type = series.metricDataType ?? (others.length === 0 ? only?.[0] : undefined)
  const table = offered.find(([name]) => name === type)?.[1]
  if (table) return { database, table }
  const choices = offered.map(([name]) => `"${name}"`).join(', ')
  const problem = type
    ? `the source ${source.name} has no metrics of type "${type}"`
    : 'the type of the metric is missing'
  throw new ChartError(400, `${path}.metricDataType`, `${problem}: use one of ${choices}`)
}
