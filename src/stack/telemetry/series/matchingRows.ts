/** The newest rows of logs or traces that some conditions match: what an alert counted. */
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import { bodyExpressions, timeExpressions } from '#contract/stack/sourceExpressions.ts'
import type { Group } from '#domain/alerting/groupState.ts'
import type { Engine } from '../engine/engine.ts'
import { planOf, StatementBuilder, type Condition, type ParsedChartQuery } from './seriesPlan.ts'
import type { Readable } from './seriesQuery.ts'

export interface RowsQuery {
  sourceId: string
  /** Rows that match one of these lists, each with all of its conditions. Without lists: all rows. */
  conditions: readonly (readonly Condition[])[]
  /** Values by expression, as they are grouped by, NULL among them; null for all groups. */
  group: Group | null
  /** Epoch milliseconds: [start, end). */
  start: number
  end: number
  limit: number
}

/**
 * The columns are those that the source shows in its table. Metrics have no rows to show.
 * @throws ChartError for an invalid condition, EngineError for errors of the engine
 */
export async function matchingRows(
  engine: Engine,
  alertQuery: RowsQuery,
  { sources, databases }: Readable,
  signal: AbortSignal,
): Promise<unknown[][]> {
  const source = sources.find(({ id }) => id === alertQuery.sourceId)
  if (source?.kind !== 'log' && source?.kind !== 'trace') return []
  const series = {
    sourceId: source.id,
    aggFn: 'count' as const,
    where: '',
    whereLanguage: 'lucene' as const,
    groupBy: [],
  }
  const { start: startTime, end } = alertQuery
  const query: ParsedChartQuery = { startTime, endTime: end - 1, granularity: '1d', series: [series] }
  const plan = await planOf(engine, 0, series, source, databases)
  const builder = new StatementBuilder(engine, query, plan)
  const times = await builder.times()
  const timestamp = times.main.sql

  const lists = await Promise.all(alertQuery.conditions.map((conditions) => builder.where({ ...plan, conditions })))
  const some = lists.includes(undefined) ? [] : lists.map((list) => `(${list})`)
  const groups = await Promise.all(
    Object.entries(alertQuery.group ?? {}).map(async ([expression, value]) => {
      const { sql } = await builder.value(expression, 'groupBy')
      return value === null ? `(${sql}) IS NULL` : `toString(${sql}) = ${builder.bindings.bind(value, 'String')}`
    }),
  )
  const shown = await Promise.all(columnsOf(source).map((column) => builder.value(column, 'select')))
  const conditions = [builder.inRange(times), ...groups, ...(some.length > 0 ? [`(${some.join(' OR ')})`] : [])]
  const rows = await engine.query<Record<string, unknown>>(
    `SELECT ${shown.map(({ sql }, at) => `toString(${sql}) AS __column_${at}`).join(', ')}
     FROM ${builder.table} WHERE ${conditions.join(' AND ')}
     ORDER BY ${timestamp} DESC LIMIT ${Math.trunc(alertQuery.limit)}`,
    { params: builder.bindings.params, signal, scans: true },
  )
  return rows.map((row) => shown.map((_, at) => row[`__column_${at}`]))
}

/** The columns of a source's table, or those that every source has. */
function columnsOf(source: Readable['sources'][number]): string[] {
  const { defaultTableSelectExpression: shown } = source
  if (typeof shown === 'string' && shown.trim() !== '') return splitExpressions(shown)
  const { serviceNameExpression: service, severityTextExpression: severity } = source
  return [...timeExpressions(source), service, severity, ...bodyExpressions(source)].flatMap((column) => column || [])
}
