/** Rows of a roll-up, and those of its table for the rest of the range, as one table for the statement of a chart. */
import { granularitySeconds, type ChartSeries } from '#contract/charts.ts'
import { timeExpressions } from '#contract/sourceExpressions.ts'
import type { Engine } from '../engine/engine.ts'
import { quoted, tableSql } from '../engine/tableName.ts'
import type { ReadableDatabases } from '../readableTables.ts'
import { columnsRead } from '../rollups/columnsRead.ts'
import { findRolledRange, type RolledRange } from '../rollups/rolledTable.ts'
import { namedRollups, rolledColumn } from '../rollups/rollup.ts'
import { tableFilterOf } from '../tableFilter.ts'
import type { Times } from '../timeRange.ts'
import type { ParsedChartQuery, Plan, StatementBuilder } from './seriesPlan.ts'

export interface RolledPart extends RolledRange {
  /** The columns of the rows that conditions and groups read. */
  columns: readonly string[]
  /** The columns that are aggregated, besides the count. */
  values: readonly RolledValue[]
}

interface RolledValue {
  aggFn: 'sum' | 'min' | 'max'
  of: string
}

const names = {
  time: '__step',
  count: '__rows',
  value: ({ aggFn, of }: RolledValue) => quoted(`__${aggFn}_${of}`),
}

/** The part of a statement over events that a roll-up answers; null if the rows themselves are to be read. @throws EngineAborted */
export async function rolledPart(
  { engine, databases, signal }: { engine: Engine; databases: ReadableDatabases; signal: AbortSignal },
  query: ParsedChartQuery,
  plans: readonly Plan[],
): Promise<RolledPart | null> {
  const [first] = plans
  const rollups = first ? namedRollups(first.source, databases) : []
  if (!first || rollups.length === 0) return null
  const time = timeExpressions(first.source).find((name) => first.columns.get(name)?.kind === 'time')
  const columns = await columnsRead(engine, readIn(plans), first)
  if (time === undefined || columns === null) return null
  const aggregates = plans.map(({ series }) => ({ aggFn: aggregateOf(series, query), field: series.field?.trim() }))
  const question = {
    startTime: query.startTime,
    endTime: query.endTime,
    step: query.ranks ? null : granularitySeconds(query.granularity, query.startTime, query.endTime),
    phase: query.phase ?? 0,
    isLocal: query.timezone !== undefined && query.timezone !== 'UTC',
    fields: columns,
    aggregates,
  }
  const range = await findRolledRange(engine, question, { rollups, base: { table: first.table, time }, signal })
  return range && { ...range, columns, values: valuesOf(aggregates) }
}

/** Which of its values a group has says nothing of its size. */
const aggregateOf = ({ aggFn }: ChartSeries, { ranks }: ParsedChartQuery) =>
  ranks && aggFn === 'any' ? 'count' : aggFn

function readIn(plans: readonly Plan[]) {
  const conditions = plans.flatMap(
    ({ series, conditions: all }) => all ?? [{ text: series.where, language: series.whereLanguage }],
  )
  const filters = plans.map(({ source }) => ({ text: tableFilterOf(source), language: 'sql' as const }))
  return { conditions: [...conditions, ...filters], groupBy: plans[0]?.series.groupBy ?? [] }
}

function valuesOf(aggregates: readonly { aggFn: string; field: string | undefined }[]): RolledValue[] {
  const values = aggregates.flatMap(({ aggFn, field: of = '' }): RolledValue[] => {
    if (aggFn === 'avg' || aggFn === 'sum') return [{ aggFn: 'sum', of }]
    return aggFn === 'min' || aggFn === 'max' ? [{ aggFn, of }] : []
  })
  return [...new Map(values.map((value) => [names.value(value), value])).values()]
}

/** The rows after FROM, and their time. @param condition on columns that the roll-up has */
export function rolledRows(
  builder: StatementBuilder,
  { rollup, rolled, rest, columns, values }: RolledPart,
  { times, condition }: { times: Times; condition: string },
): { sql: string; timestamp: string } {
  const time = quoted(rollup.time)
  const moment = (milliseconds: number) => `toDateTime(${builder.moment(milliseconds)})`
  const steps = rolled.map(({ from, to }) => `${time} >= ${moment(from)} AND ${time} < ${moment(to)}`)
  const column = (aggFn: RolledValue['aggFn'] | 'count', of?: string) => quoted(rolledColumn(rollup, aggFn, of) ?? '')
  const wide = ({ aggFn }: RolledValue, sql: string) => (aggFn === 'sum' ? `toInt128(${sql})` : sql)
  const select = (timeSql: string, count: string, value: (one: RolledValue) => string) =>
    [
      `SELECT toDateTime(${timeSql}) AS ${names.time}`,
      ...columns.map(quoted),
      `toInt64(${count}) AS ${names.count}`,
      ...values.map((one) => `${wide(one, value(one))} AS ${names.value(one)}`),
    ].join(', ')
  const ofRollup = `${select(time, column('count'), ({ aggFn, of }) => column(aggFn, of))}
    FROM ${tableSql(rollup.table)} WHERE (${steps.map((one) => `(${one})`).join(' OR ')}) AND ${builder.filtered(condition)}`
  const ofRows = rest.map(({ from, to }, at) => {
    // The last interval ends with the range, both of whose ends belong to it.
    const end = at < rest.length - 1 ? ` AND ${times.main.sql} < ${builder.moment(to)}` : ''
    return `${select(times.main.sql, '1', ({ of }) => quoted(of))}
      FROM ${builder.table} WHERE ${builder.inRange(times, from, to)}${end} AND ${condition}`
  })
  return { sql: `(${[ofRollup, ...ofRows].join('\nUNION ALL ')})`, timestamp: names.time }
}

/** The number of rows that satisfy a condition, of all without one. */
export const rolledCountSql = (condition?: string): string =>
  `toUInt64(${condition === undefined ? `sum(${names.count})` : `sumIf(${names.count}, ${condition})`})`

/** The value of a series over rolled rows, as `aggregateSql` has it over rows. */
export function rolledValueSql(series: ChartSeries, condition: string | undefined): string {
  const { aggFn, field = '' } = series
  const of = field.trim()
  const call = (name: string, value: string) =>
    condition === undefined ? `${name}(${value})` : `${name}If(${value}, ${condition})`
  switch (aggFn) {
    case 'sum':
      return `toFloat64(${call('sum', names.value({ aggFn, of }))})`
    case 'avg':
      return `${call('sum', names.value({ aggFn: 'sum', of }))} / ${rolledCountSql(condition)}`
    case 'min':
    case 'max':
      return `toFloat64(${call(aggFn, names.value({ aggFn, of }))})`
    default:
      return rolledCountSql(condition)
  }
}
