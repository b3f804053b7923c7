/** Rows of a roll-up, and those of its table for the rest of the range, as one table for the statement of a chart. */
import { granularitySeconds, type ChartSeries } from '#contract/stack/charts.ts'
import { timeExpressions } from '#contract/stack/sourceExpressions.ts'
import type { Engine } from '../engine/engine.ts'
import { quoted, tableSql } from '../engine/tableName.ts'
import type { ReadableDatabases } from '../readableTables.ts'
import { columnsRead, spelledAttribute } from '../rollups/columnsRead.ts'
import { findRolledRange, type RolledRange } from '../rollups/rolledTable.ts'
import { ownRollupsOf } from '../rollups/ownRollups.ts'
import { keyColumns, namedRollups, namedValues, rolledColumn } from '../rollups/rollup.ts'
import { attributeNamed, type Attribute, type Value } from '../fieldExpressions.ts'
import { tableFilterOf } from '../tableFilter.ts'
import type { ColumnType } from '../tableLayout.ts'
import { timesOf, type Times } from '../timeRange.ts'
import { countedValues, rolledNames, textOfRow } from './rolledAttribute.ts'
import type { ParsedChartQuery, Plan, StatementBuilder } from './seriesPlan.ts'

export interface RolledPart extends RolledRange {
  /** The columns of the rows that conditions and groups read. */
  columns: readonly string[]
  /** The map by whose keys rows are grouped, instead. */
  keysOf?: string | undefined
  /** The attribute or column by whose values rows are grouped, where the roll-up is of values: it is all that is read. */
  valuesOf?: Attribute | undefined
  /** The columns that are aggregated, besides the count. */
  values: readonly RolledValue[]
}

interface RolledValue {
  aggFn: 'sum' | 'min' | 'max'
  of: string
}

const nameOf = ({ aggFn, of }: RolledValue): string => quoted(`__${aggFn}_${of}`)

interface RolledReading {
  engine: Engine
  databases: ReadableDatabases
  signal: AbortSignal
  /** The rows of a table from which on its roll-ups are read; as many as make it worth while, if absent. */
  leastRolledRows?: number | undefined
}

/** The part of a statement over events that a roll-up answers; null if the rows themselves are to be read. @throws EngineAborted */
export async function rolledPart(
  { engine, databases, signal, leastRolledRows: leastRows }: RolledReading,
  query: ParsedChartQuery,
  plans: readonly Plan[],
): Promise<RolledPart | null> {
  const [first] = plans
  const rollups = first ? rollupsOf(first, { engine, databases }) : []
  if (!first || rollups.length === 0) return null
  const time = timeExpressions(first.source).find((name) => first.columns.get(name)?.kind === 'time')
  const exactTime = exactTimeOf(first)
  const { groupBy, conditions } = readIn(plans)
  const keysOf = mapOfKeys(groupBy)
  const fields = await columnsRead(engine, { conditions, groupBy: keysOf === undefined ? groupBy : [] }, first)
  if (time === undefined || fields === null) return null
  const valuesOf = plans.length > 1 ? undefined : onlyAttribute(groupBy, fields, first)
  const aggregates = plans.map(({ series }) => ({ aggFn: aggregateOf(series, query), field: series.field?.trim() }))
  const question = {
    startTime: query.startTime,
    endTime: query.endTime,
    step: query.ranks ? null : granularitySeconds(query.granularity, query.startTime, query.endTime),
    phase: query.phase ?? 0,
    isLocal: query.timezone !== undefined && query.timezone !== 'UTC',
    fields,
    keysOf,
    valuesOf,
    aggregates,
  }
  const range = await findRolledRange(engine, question, {
    rollups,
    base: { table: first.table, time, exactTime },
    signal,
    leastRows,
  })
  if (range?.rollup.valuesOf) return { ...range, columns: [], valuesOf, values: [] }
  return range && { ...range, columns: fields, keysOf, values: aggregatedValues(aggregates) }
}

function rollupsOf(
  { source, table, columns }: Plan,
  { engine, databases }: Pick<RolledReading, 'engine' | 'databases'>,
) {
  return [
    ...namedRollups(source, databases),
    ...ownRollupsOf(engine, table),
    ...namedValues(source, databases, columns),
  ]
}

/** The attribute or column that rows are grouped by, if no other one is read. */
function onlyAttribute([only, ...others]: readonly string[], fields: readonly string[], { columns }: Plan) {
  const attribute = only !== undefined && others.length === 0 ? attributeNamed(only, columns) : undefined
  return attribute && fields.every((field) => field === spelledAttribute(attribute)) ? attribute : undefined
}

/** The time by which rows are put into buckets. Expressions other than dates may be as exact as any column. */
function exactTimeOf({ source, columns }: Plan): string {
  const typeOf = (name: string): ColumnType =>
    columns.get(name) ?? { kind: 'time', ...(!name.startsWith('toDate(') && { digits: 9 }) }
  return timesOf(timeExpressions(source).map((name) => ({ sql: name, type: typeOf(name) }))).main.sql
}

/** `LogAttributes` of `arrayJoin(mapKeys(LogAttributes))`, if that is the group. */
function mapOfKeys([only = '', ...others]: readonly string[]): string | undefined {
  return others.length > 0 ? undefined : /^arrayJoin\(mapKeys\(`?(\w+)`?\)\)$/.exec(only)?.[1]
}

/** The grouping expressions over rolled rows, where they are others than over the rows. */
export const rolledGroups = ({ keysOf, valuesOf }: RolledPart): Value[] | undefined =>
  keysOf === undefined && !valuesOf ? undefined : [{ sql: rolledNames.key, type: { kind: 'text' } }]

/** The condition after GROUP BY that leaves out groups without a row. */
export const rolledHaving = ({ valuesOf }: RolledPart): string =>
  valuesOf ? ` HAVING sum(${rolledNames.count}) != 0` : ''

/** When groups are ranked, `any` is replaced by `count`: an arbitrary value does not order groups. */
const aggregateOf = ({ aggFn }: ChartSeries, { ranks }: ParsedChartQuery) =>
  ranks && aggFn === 'any' ? 'count' : aggFn

function readIn(plans: readonly Plan[]) {
  const conditions = plans.flatMap(
    ({ series, conditions: all }) => all ?? [{ text: series.where, language: series.whereLanguage }],
  )
  const filters = plans.map(({ source }) => ({ text: tableFilterOf(source), language: 'sql' as const }))
  return { conditions: [...conditions, ...filters], groupBy: plans[0]?.series.groupBy ?? [] }
}

function aggregatedValues(aggregates: readonly { aggFn: string; field: string | undefined }[]): RolledValue[] {
  const values = aggregates.flatMap(({ aggFn, field: of = '' }): RolledValue[] => {
    if (aggFn === 'avg' || aggFn === 'sum') return [{ aggFn: 'sum', of }]
    return aggFn === 'min' || aggFn === 'max' ? [{ aggFn, of }] : []
  })
  return [...new Map(values.map((value) => [nameOf(value), value])).values()]
}

/** The rows after FROM, and their time. @param condition on columns that the roll-up has */
export function rolledRows(
  builder: StatementBuilder,
  part: RolledPart,
  { times, condition }: { times: Times; condition: string },
): { sql: string; timestamp: string } {
  const { rollup, rolled, rest, columns, values, keysOf, valuesOf } = part
  const time = quoted(rollup.time)
  const moment = (milliseconds: number) => `toDateTime(${builder.moment(milliseconds)})`
  const intervals = rolled.map(({ from, to }) => `(${time} >= ${moment(from)} AND ${time} < ${moment(to)})`)
  const steps = `(${intervals.join(' OR ')})`
  const column = (aggFn: RolledValue['aggFn'] | 'count', of?: string) => quoted(rolledColumn(rollup, aggFn, of) ?? '')
  const wide = ({ aggFn }: RolledValue, sql: string) => (aggFn === 'sum' ? `toInt128(${sql})` : sql)
  const keyOf = (sql: string) => (sql === '' ? [] : [`${sql} AS ${rolledNames.key}`])
  const select = (timeSql: string, key: string, count: string, value: (rolledValue: RolledValue) => string) =>
    [
      `SELECT toDateTime(${timeSql}) AS ${rolledNames.time}`,
      ...keyOf(key),
      ...columns.map(quoted),
      `toInt64(${count}) AS ${rolledNames.count}`,
      ...values.map((rolledValue) => `${wide(rolledValue, value(rolledValue))} AS ${nameOf(rolledValue)}`),
    ].join(', ')
  const ofMap = keysOf === undefined ? '' : ` AND ${keyColumns.map} = ${builder.bindings.bind(keysOf, 'String')}`
  const ofRollup = valuesOf
    ? countedValues(builder, { rollup, valuesOf, steps, condition })
    : `${select(time, keysOf === undefined ? '' : keyColumns.key, column('count'), ({ aggFn, of }) => column(aggFn, of))}
    FROM ${tableSql(rollup.table)} WHERE ${steps} AND ${builder.filtered(condition)}${ofMap}`
  const keyOfRow = valuesOf
    ? textOfRow(builder, valuesOf)
    : keysOf === undefined
      ? ''
      : `arrayJoin(mapKeys(${quoted(keysOf)}))`
  const ofRows = rest.map(({ from, to }, at) => {
    // The last interval ends with the range, both of whose ends belong to it.
    const end = at < rest.length - 1 ? ` AND ${times.main.sql} < ${builder.moment(to)}` : ''
    return `${select(times.main.sql, keyOfRow, '1', ({ of }) => quoted(of))}
      FROM ${builder.table} WHERE ${builder.inRange(times, from, to)}${end} AND ${condition}`
  })
  return { sql: `(${[ofRollup, ...ofRows].join('\nUNION ALL ')})`, timestamp: rolledNames.time }
}

/** The number of rows that satisfy a condition, of all without one. */
export const rolledCountSql = (condition?: string): string =>
  `toUInt64(${condition === undefined ? `sum(${rolledNames.count})` : `sumIf(${rolledNames.count}, ${condition})`})`

/** The value of a series over rolled rows, as `aggregateSql` has it over rows. */
export function rolledValueSql(series: ChartSeries, condition: string | undefined): string {
  const { aggFn, field = '' } = series
  const of = field.trim()
  const call = (name: string, value: string) =>
    condition === undefined ? `${name}(${value})` : `${name}If(${value}, ${condition})`
  switch (aggFn) {
    case 'sum':
      return `toFloat64(${call('sum', nameOf({ aggFn, of }))})`
    case 'avg':
      return `${call('sum', nameOf({ aggFn: 'sum', of }))} / ${rolledCountSql(condition)}`
    case 'min':
    case 'max':
      return `toFloat64(${call(aggFn, nameOf({ aggFn, of }))})`
    default:
      return rolledCountSql(condition)
  }
}
