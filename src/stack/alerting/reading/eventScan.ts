/**
 * Answers many queries over logs or spans in one statement: one pass over the rows, with a conditional aggregate for
 * each series.
 */
import type { Source } from '#contract/stack/sources.ts'
import type { AlertQuerySeries, AlertSeriesQuery } from '#domain/alerting/alertQuery.ts'
import { invalidAlert } from '#domain/alerting/executionError.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { aggregateSql, noCounter } from '../../telemetry/series/aggregateFunctions.ts'
import { ChartError } from '../../telemetry/series/chartError.ts'
import {
  groupColumns,
  groupNames,
  names,
  planOf,
  StatementBuilder,
  type ParsedChartQuery,
  type Plan,
} from '../../telemetry/series/seriesPlan.ts'
import type { Readable } from '../../telemetry/series/seriesQuery.ts'
import { queryOf, type WindowQuery } from './scan.ts'

/** Maximum number of rows of a statement: groups times windows. */
export const maxScanRows = 20_000
/** Above this number of conditions, rows are not filtered before they are grouped. */
const maxFilters = 20

/** The columns of one series in the result. `present` is null if each row of the result has rows of the series. */
interface Columns {
  value: string
  present: string | null
}

export interface EventScan {
  sql: string
  params: StatementBuilder['bindings']['params']
  /** The columns of each query that can be answered, by its place in the batch. */
  answers: Map<number, Columns[]>
  /** Why the others cannot. */
  problems: Map<number, unknown>
}

/** A series as charts have it, but for its conditions, which are those of its plan. */
export function chartSeriesOf({ sourceId, groupBy }: AlertSeriesQuery, series: AlertQuerySeries) {
  const { conditions: _, ...rest } = series
  return { sourceId, groupBy: [...groupBy], where: '', whereLanguage: 'lucene' as const, ...rest }
}

/** Builds the statement. `windowQueries` have one `scanKey`. @throws if none of them can be answered, for a reason of their source or groups */
export async function eventScan(
  engine: Engine,
  windowQueries: readonly WindowQuery<AlertSeriesQuery>[],
  source: Source,
  { databases }: Pick<Readable, 'databases'>,
): Promise<EventScan> {
  const [first] = windowQueries
  const [series] = first?.alertQuery.series ?? []
  if (!first || !series) throw new TypeError('a scan needs a alertQuery with a series')
  const plan = await planOf(engine, 0, chartSeriesOf(first.alertQuery, series), source, databases)
  const query: ParsedChartQuery = { ...queryOf(first.span), series: [plan.series] }
  const builder = new StatementBuilder(engine, query, plan)
  const times = await builder.times()
  const { sql: timestamp, type } = times.main
  if (type.kind !== 'time') {
    throw invalidAlert(`The timestamp expression of the source ${source.name} is not a date or a time.`)
  }
  const groups = await builder.groups()
  const scan = new ScanColumns(builder, plan, timestamp)
  const answers = new Map<number, Columns[]>()
  const problems = new Map<number, unknown>()
  await Promise.all(
    windowQueries.map(async ({ alertQuery }, at) => {
      try {
        answers.set(at, await scan.add(alertQuery))
      } catch (error) {
        problems.set(at, error)
      }
    }),
  )
  return {
    sql: `SELECT toUnixTimestamp(${builder.bucket(timestamp)}) AS ${names.bucket}${groupColumns(groups)}${scan.columns}
      FROM ${builder.table} WHERE ${[builder.inRange(times), ...scan.filter].join(' AND ')}
      GROUP BY ${names.bucket}${groupNames(groups)} LIMIT ${maxScanRows + 1}`,
    params: builder.bindings.params,
    answers,
    problems,
  }
}

/** The conditional aggregates of a statement. Equal ones are computed once. */
class ScanColumns {
  readonly #builder: StatementBuilder
  readonly #plan: Plan
  readonly #timestamp: string
  /** Names by expression. */
  readonly #names = new Map<string, string>()
  /** The conditions of the series; undefined for a series without one. */
  readonly #conditions = new Set<string | undefined>()

  constructor(builder: StatementBuilder, plan: Plan, timestamp: string) {
    this.#builder = builder
    this.#plan = plan
    this.#timestamp = timestamp
  }

  /** Adds the series of a query. @throws without a change if one of them cannot be computed */
  async add(alertQuery: AlertSeriesQuery): Promise<Columns[]> {
    const series = await Promise.all(alertQuery.series.map((one, index) => this.#seriesSql(alertQuery, one, index)))
    return series.map(({ value, condition }) => {
      this.#conditions.add(condition)
      return { value: this.#name(value), present: condition === undefined ? null : this.#name(`countIf(${condition})`) }
    })
  }

  /** The columns with their names, each after a comma. */
  get columns(): string {
    return [...this.#names].map(([expression, name]) => `, ${expression} AS ${name}`).join('')
  }

  /** The condition that every counted row satisfies. */
  get filter(): string[] {
    const conditions = [...this.#conditions]
    if (conditions.length > maxFilters || conditions.includes(undefined)) return []
    return conditions.length === 0 ? [] : [`(${conditions.join(' OR ')})`]
  }

  async #seriesSql(alertQuery: AlertSeriesQuery, series: AlertQuerySeries, index: number) {
    const path = `series.${index}`
    const { aggFn, field, level, conditions } = series
    const plan = { ...this.#plan, index, path, series: chartSeriesOf(alertQuery, series), conditions }
    if (aggFn === 'increase') throw noCounter(path)
    if (aggFn === 'none') throw new ChartError(400, `${path}.aggFn`, 'a complete expression needs its own statement')
    const value =
      field?.trim() && aggFn !== 'count'
        ? await this.#builder.value(field, `${path}.field`, { tuples: aggFn === 'count_distinct' })
        : undefined
    const condition = await this.#builder.where(plan)
    const aggregation = { aggFn, value, timestamp: this.#timestamp, level, condition }
    return { value: aggregateSql(aggregation, this.#builder.bindings, path), condition }
  }

  #name(expression: string): string {
    const name = this.#names.get(expression) ?? names.value(this.#names.size)
    this.#names.set(expression, name)
    return name
  }
}
