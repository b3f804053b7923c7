/** Drafts of the SQL of charts over logs and traces. */
import { group } from 'd3-array'
import { granularitySeconds, type ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { sqlTokens } from '#domain/query/sqlTokens.ts'
import { letterOf, seriesName } from '../series/seriesNames.ts'
import { conditionsOf } from './draftConditions.ts'
import {
  type Draft,
  draftMark,
  draftOf,
  NoDraft,
  oneExpression,
  quotedName,
  tableOf,
  timeOf,
  valueOf,
} from './draftSource.ts'

type Series = ChartQuery['series'][number]

/** A draft for some series of a query, which are named by their places. */
interface ChartDraft {
  series: number[]
  statement: Draft
}

/**
 * One statement for the series that count the same rows, over all groups: a row for each bucket and group, with the series
 * named by their letters. Buckets start in UTC, as those of deployments that do not tell their SQL.
 */
export function chartDrafts(query: ChartQuery, sources: readonly Source[]): ChartDraft[] {
  const rowsOf = ({ sourceId, where = '', whereLanguage }: Series) => JSON.stringify([sourceId, where, whereLanguage])
  const places = group([...query.series.keys()], (at) => rowsOf(query.series[at]!))
  return [...places.values()].flatMap((series) => combinedDraft(query, series, sources))
}

/** A series that cannot be written takes no statement from the others. */
function combinedDraft(query: ChartQuery, series: number[], sources: readonly Source[]): ChartDraft[] {
  const statement = draftOf(() => statementOf(query, series, sources))
  if (typeof statement === 'string' || series.length === 1) return [{ series, statement }]
  return series.flatMap((at) => combinedDraft(query, [at], sources))
}

function statementOf(query: ChartQuery, places: readonly number[], sources: readonly Source[]): string {
  const all = places.map((at) => query.series[at]!)
  const { sourceId, where = '', whereLanguage = 'lucene', groupBy = [] } = all[0]!
  const source = sources.find(({ id }) => id === sourceId)
  if (!source) throw new NoDraft('Its source was not found. It may have been deleted.')
  const table = tableOf(source)
  const span = { from: query.startTime, to: query.endTime }
  const conditions = conditionsOf({ source, span, where, whereLanguage, use: 'chart' })
  const groups = [...new Set(groupBy)].map((expression) => ({ expression, sql: valueOf(expression, source).sql }))
  const values = all.map((series) => aggregateOf(series, source))
  const step = granularitySeconds(query.granularity ?? 'auto', query.startTime, query.endTime)
  const bucket = `toStartOfInterval(toDateTime(${timeOf(source)}, 'UTC'), INTERVAL ${step} SECOND)`
  // A name that is also that of a column would stand for it in conditions.
  const used = new Set([bucket, conditions, ...groups.map(({ sql }) => sql), ...values].flatMap(namesIn))
  const time = unused('time', used)
  const columns = [
    `${bucket} AS ${time}`,
    ...groups.map(({ expression, sql }) => (needsName(expression) ? `${sql} AS ${quotedName(expression)}` : sql)),
    ...values.map((value, at) => `${value} AS ${unused(letterOf(places[at]!), used)}`),
  ]
  return `${draftMark}
SELECT
  ${columns.join(',\n  ')}
FROM ${table}
WHERE ${conditions}
GROUP BY ${[time, ...groups.map(({ sql }) => sql)].join(', ')}
ORDER BY ${time}`
}

/** The aggregate of a series. @throws NoDraft where its figures could be others than those of the chart */
function aggregateOf(series: Series, source: Source): string {
  const { aggFn, field = '', level = 0.5 } = series
  if (aggFn === 'count') return 'count()'
  const name = seriesName({ aggFn, level, valueExpression: field })
  if (field.trim() === '') throw new NoDraft(`${name} has no field.`)
  if (aggFn === 'none') return oneExpression(field)
  const { sql, kind } = valueOf(field, source)
  if (aggFn === 'count_distinct') return `uniqExact(${sql})`
  if (aggFn === 'any') return `any(${sql})`
  if (kind !== 'number') {
    throw new NoDraft(
      `${name}: the console does not know that ${field} is a number, and deployments differ in how they read numbers from text.`,
    )
  }
  switch (aggFn) {
    case 'quantile':
      return `quantile(${level})(${sql})`
    case 'last_value':
      return `argMax(${sql}, ${timeOf(source)})`
    case 'sum':
    case 'avg':
      // The engine adds integers up in their own type, in which a large total would wrap to a wrong one.
      return `${aggFn}(toFloat64(${sql}))`
    case 'increase':
      throw new NoDraft(`${name}: only counters grow, which are metrics.`)
    default:
      return `${aggFn}(${sql})`
  }
}

/** Columns have their names. One with an escape would be read in different ways. */
const needsName = (expression: string): boolean => !/^\w+$|[\\`]/.test(expression)

const namesIn = (sql: string): string[] =>
  sqlTokens(sql).flatMap(({ kind, text }) => (kind === 'word' ? text : kind === 'name' ? text.slice(1, -1) : []))

const unused = (name: string, used: ReadonlySet<string>): string => (used.has(name) ? unused(`${name}_`, used) : name)
