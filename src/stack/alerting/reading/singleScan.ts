/** Answers one question whose series need statements of their own: metrics, and complete expressions. */
import type { Source } from '#contract/sources.ts'
import type { Engine } from '../../telemetry/engine.ts'
import type { Params } from '../../telemetry/params.ts'
import { eventStatement } from '../../telemetry/series/eventStatements.ts'
import { metricStatement } from '../../telemetry/series/metricStatements.ts'
import { maxPoints, names, planOf, type ParsedChartQuery } from '../../telemetry/series/seriesPlan.ts'
import type { Readable } from '../../telemetry/series/seriesQuery.ts'
import { chartSeriesOf } from './eventScan.ts'
import { ExecutionError } from './executionError.ts'
import type { Question, SeriesQuestion } from './question.ts'
import { queryOf, Tally, type Ask, type Reading } from './scan.ts'

/** Whether a question cannot share a statement with others. */
export function isSingle(question: Question, source: Source | undefined): boolean {
  if (question.kind === 'sql') return true
  return source?.kind === 'metric' || question.series.some(({ aggFn }) => aggFn === 'none')
}

/** Runs a statement over telemetry, with the time limit of alerts. */
export type Run = (sql: string, params: Params) => Promise<Record<string, unknown>[]>

/** Reads one question. */
export async function singleScan(
  engine: Engine,
  ask: Ask<SeriesQuestion>,
  source: Source,
  { databases }: Pick<Readable, 'databases'>,
  run: Run,
): Promise<Reading> {
  const { question, span } = ask
  /** The values of the series by bucket and group. */
  const points = new Map<string, { bucket: number; group: unknown[]; values: unknown[] }>()
  for (const [index, one] of question.series.entries()) {
    const series = chartSeriesOf(question, one)
    const query: ParsedChartQuery = { ...queryOf(span), series: [series] }
    const plan = await planOf(engine, index, series, source, databases)
    const statement = await (source.kind === 'metric'
      ? metricStatement(engine, query, plan)
      : eventStatement(engine, query, [plan]))
    const rows = await run(statement.sql, statement.bindings.params)
    if (rows.length > maxPoints) throw tooManyGroups()
    for (const row of rows) {
      const group = question.groupBy.map((_, at) => row[names.group(at)])
      const bucket = Number(row[names.bucket]) * 1000
      const key = JSON.stringify([bucket, group])
      const point = points.get(key) ?? { bucket, group, values: question.series.map(() => undefined) }
      point.values[index] = row[names.value(index)]
      points.set(key, point)
    }
  }
  const tally = new Tally(ask)
  for (const { bucket, group, values } of points.values()) tally.add(bucket, group, values)
  return tally.reading
}

export function tooManyGroups(): ExecutionError {
  return new ExecutionError(
    'QUERY_ERROR',
    'The alert has too many groups. Group by fewer columns, or by columns with fewer values.',
  )
}
