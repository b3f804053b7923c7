/** Series over logs and spans. The series of one source are read in one pass over its rows. */
import type { Engine } from '../engine/engine.ts'
import { aggregateSql, noCounter } from './aggregateFunctions.ts'
import { ChartError } from './chartError.ts'
import {
  rolledCountSql,
  rolledGroups,
  rolledHaving,
  rolledRows,
  rolledValueSql,
  type RolledPart,
} from './rolledRows.ts'
import {
  groupColumns,
  groupNames,
  names,
  StatementBuilder,
  type ParsedChartQuery,
  type Plan,
  type Statement,
} from './seriesPlan.ts'

/**
 * `plans` are of one table; a series with aggFn `none` is alone, because its filter applies to the whole statement.
 * @param rolled the part of the range that a roll-up answers, if one does
 */
export async function eventStatement(
  engine: Engine,
  query: ParsedChartQuery,
  plans: readonly Plan[],
  rolled: RolledPart | null = null,
): Promise<Statement> {
  const [first] = plans
  if (!first) throw new TypeError('a statement needs a series')
  const builder = new StatementBuilder(engine, query, first)
  const times = await builder.times()
  const groups = await builder.groups(rolled ? rolledGroups(rolled) : undefined)
  const wheres = await Promise.all(plans.map((plan) => builder.where(plan)))
  const shared = new Set(wheres).size === 1
  const some = wheres.every((where) => where !== undefined) ? [...new Set(wheres)] : []
  const condition = some.length > 0 ? `(${some.join(' OR ')})` : 'true'
  const rows = rolled
    ? rolledRows(builder, rolled, { times, condition })
    : { sql: `${builder.table} WHERE ${builder.inRange(times)} AND ${condition}`, timestamp: times.main.sql }
  const values = await Promise.all(
    plans.map((plan, at) => {
      const own = shared ? undefined : wheres[at]
      return rolled ? rolledValueSql(plan.series, own) : valueSql(builder, plan, times.main.sql, own)
    }),
  )
  const sparse = new Map(plans.flatMap((plan, at) => (shared || !wheres[at] ? [] : [[plan.index, wheres[at]]])))
  const present = (where: string) => (rolled ? rolledCountSql(where) : `countIf(${where})`)
  return {
    sql: `SELECT toUnixTimestamp(${builder.bucket(rows.timestamp)}) AS ${names.bucket}
      ${groupColumns(groups)}
      ${plans.map((plan, at) => `, ${values[at]} AS ${names.value(plan.index)}`).join('')}
      ${[...sparse].map(([index, where]) => `, ${present(where)} AS ${names.present(index)}`).join('')}
      FROM ${rows.sql}
      GROUP BY ${names.bucket}${groupNames(groups)}${rolled ? rolledHaving(rolled) : ''}`,
    bindings: builder.bindings,
    groups: groups.length,
    plans: [...plans],
    sparse: new Set(sparse.keys()),
    ...(rolled && { readFrom: rolled.rollup.table.table }),
  }
}

async function valueSql(
  builder: StatementBuilder,
  { series, path }: Plan,
  timestamp: string,
  condition: string | undefined,
): Promise<string> {
  const { field, level } = series
  // Which of its values a group has says nothing of its size.
  const aggFn = builder.ranks && series.aggFn === 'any' ? 'count' : series.aggFn
  if (aggFn === 'increase') throw noCounter(path)
  const value =
    field?.trim() && aggFn !== 'count'
      ? await builder.value(field, `${path}.field`, {
          aggregates: aggFn === 'none',
          tuples: aggFn === 'count_distinct',
        })
      : undefined
  if (aggFn !== 'none') return aggregateSql({ aggFn, value, timestamp, level, condition }, builder.bindings, path)
  if (value) return value.sql
  throw new ChartError(
    400,
    `${path}.field`,
    'none needs an expression that aggregates, such as countIf(Duration > 1e9)',
  )
}
