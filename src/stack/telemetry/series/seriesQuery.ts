/** Chart series: section 2.3 of the specification, section 10 of the open-source reference. */
import { setMaxListeners } from 'node:events'
import type { ChartPoint, ChartRow } from '#contract/charts.ts'
import type { Source } from '#contract/sources.ts'
import type { Engine } from '../engine/engine.ts'
import { asColumns, pivoted, type Answered, type StatementRow } from './seriesResponse.ts'
import { at, ChartError } from './chartError.ts'
import { eventStatement } from './eventStatements.ts'
import { metricStatement } from './metricStatements.ts'
import type { ReadableDatabases } from '../readableTables.ts'
import { maxPoints, planOf, rowsOf, type ParsedChartQuery, type Plan, type Run, type Statement } from './seriesPlan.ts'

/** The sources and databases of charts. */
export interface Readable {
  sources: readonly Source[]
  databases: ReadableDatabases
}

/**
 * Runs a chart query. Throws ChartError for errors in the query, EngineError for errors of the engine (EngineAborted
 * after `signal`).
 */
export async function querySeries(
  engine: Engine,
  query: ParsedChartQuery,
  readable: Readable,
  signal: AbortSignal,
): Promise<ChartPoint[] | ChartRow[]> {
  const plans = await plansOf(engine, query, readable)
  const answers = await together(signal, async (signal) => {
    const statements = await Promise.all(statementsOf(engine, query, plans))
    return Promise.all(statements.map((statement) => answer(engine, statement, signal)))
  })
  const groupBy = query.series[0]?.groupBy ?? []
  // `ratio` is handled like on deployments: like the default, each series separately (section 10.4).
  if (query.seriesReturnType === 'column') return asColumns(answers, groupBy)
  return pivoted(answers, groupBy)
}

/** Finds the rows of each series. Rejects with ChartError for a source or a table that cannot be read. */
export function plansOf(engine: Engine, query: ParsedChartQuery, { sources, databases }: Readable): Promise<Plan[]> {
  return Promise.all(
    query.series.map((series, index) => {
      const source = sources.find(({ id }) => id === series.sourceId)
      if (!source) throw new ChartError(404, `series.${index}.sourceId`, `Source not found for series ${index}`)
      return planOf(engine, index, series, source, databases)
    }),
  )
}

/** Series over events of one table share a statement; metrics and complete expressions have one each. */
function statementsOf(engine: Engine, query: ParsedChartQuery, plans: readonly Plan[]): Promise<Statement>[] {
  const metrics = plans.filter(({ source }) => source.kind === 'metric')
  const alone = plans.filter(({ source, series }) => source.kind !== 'metric' && series.aggFn === 'none')
  const events = plans.filter((plan) => !metrics.includes(plan) && !alone.includes(plan))
  const bySource = [...new Set(events.map(({ source }) => source))].map((source) =>
    events.filter((plan) => plan.source === source),
  )
  return [
    ...[...bySource, ...alone.map((plan) => [plan])].map((plans) => eventStatement(engine, query, plans)),
    ...metrics.map((plan) => metricStatement(engine, query, plan)),
  ]
}

async function answer(engine: Engine, statement: Statement, signal: AbortSignal): Promise<Answered> {
  const { plans } = statement
  const [only, ...others] = plans
  const path = only && others.length === 0 ? only.path : 'series'
  const run: Run = (sql, params) => engine.query<StatementRow>(sql, { params, signal, scans: true })
  const rows = await at(path, () => rowsOf(statement, run))
  if (rows.length <= maxPoints) return { statement, rows }
  throw new ChartError(
    400,
    path,
    `the result has more than ${maxPoints} points: choose a coarser granularity, a shorter range or fewer groups`,
  )
}

/** The first error stops the other statements. */
async function together<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  // Every statement adds several listeners, which is not a leak.
  setMaxListeners(0, either)
  try {
    return await work(either)
  } catch (error) {
    failed.abort()
    throw error
  }
}
