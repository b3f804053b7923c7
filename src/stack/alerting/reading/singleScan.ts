/** Answers one query whose series need statements of their own: metrics, and complete expressions. */
import type { Source } from '#contract/stack/sources.ts'
import type { AlertQuery, AlertSeriesQuery } from '#domain/alerting/alertQuery.ts'
import { ExecutionError } from '#domain/alerting/executionError.ts'
import { Tally, type Reading } from '#domain/alerting/tally.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { eventStatement } from '../../telemetry/series/eventStatements.ts'
import { metricStatement } from '../../telemetry/series/metricStatements.ts'
import { maxPoints, names, planOf, rowsOf, type ParsedChartQuery, type Run } from '../../telemetry/series/seriesPlan.ts'
import type { Readable } from '../../telemetry/series/seriesQuery.ts'
import { chartSeriesOf } from './eventScan.ts'
import { queryOf, type WindowQuery } from './scan.ts'

/** Whether a query cannot share a statement with others. */
export function isSingle(alertQuery: AlertQuery, source: Source | undefined): boolean {
  if (alertQuery.kind === 'sql') return true
  return source?.kind === 'metric' || alertQuery.series.some(({ aggFn }) => aggFn === 'none')
}

/** Reads one query. `run` has the time limit of alerts. */
export async function singleScan(
  engine: Engine,
  windowQuery: WindowQuery<AlertSeriesQuery>,
  source: Source,
  { databases }: Pick<Readable, 'databases'>,
  run: Run,
): Promise<Reading> {
  const { alertQuery, span } = windowQuery
  /** The values of the series by bucket and group. */
  const points = new Map<string, { bucket: number; group: unknown[]; values: unknown[] }>()
  for (const [index, one] of alertQuery.series.entries()) {
    const series = chartSeriesOf(alertQuery, one)
    const query: ParsedChartQuery = { ...queryOf(span), series: [series] }
    const found = await planOf(engine, index, series, source, databases)
    const plan = { ...found, conditions: one.conditions }
    const statement = await (source.kind === 'metric'
      ? metricStatement(engine, query, plan)
      : eventStatement(engine, query, [plan]))
    const rows = await rowsOf(statement, run)
    if (rows.length > maxPoints) throw tooManyGroups()
    for (const row of rows) {
      const group = alertQuery.groupBy.map((_, at) => row[names.group(at)])
      const bucket = Number(row[names.bucket]) * 1000
      const key = JSON.stringify([bucket, group])
      const point = points.get(key) ?? { bucket, group, values: alertQuery.series.map(() => undefined) }
      point.values[index] = row[names.value(index)]
      points.set(key, point)
    }
  }
  const tally = new Tally(alertQuery, span.windows)
  for (const { bucket, group, values } of points.values()) tally.add(bucket, group, values)
  return tally.reading
}

export function tooManyGroups(): ExecutionError {
  return new ExecutionError(
    'QUERY_ERROR',
    'The alert has too many groups. Group by fewer columns, or by columns with fewer values.',
  )
}
