/** Chart series: docs/DEPLOYMENTS.md#chart-series. */
import { setMaxListeners } from 'node:events'
import { granularitySeconds, type ChartPoint, type ChartRow } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/engineError.ts'
import { asColumns, groupsIn, pivoted, readFromIn, type Answered, type StatementRow } from './seriesResponse.ts'
import { at, ChartError } from './chartError.ts'
import { eventStatement } from './eventStatements.ts'
import { rankedGroups } from './groupRanking.ts'
import { metricStatement } from './metricStatements.ts'
import type { ReadableDatabases } from '../readableTables.ts'
import { leftOutError, ValuesLeftOut } from './rolledAttribute.ts'
import { rolledPart } from './rolledRows.ts'
import { maxPoints, planOf, rowsOf, type ParsedChartQuery, type Plan, type Run, type Statement } from './seriesPlan.ts'

/** The sources and databases of charts. */
export interface Readable {
  sources: readonly Source[]
  databases: ReadableDatabases
  /** The rows of a table from which on its roll-ups are read; a million, if absent. */
  leastRolledRows?: number
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
  const { databases, leastRolledRows } = readable
  const { answers, otherGroups } = await runTogether(signal, (signal) =>
    answerOf({ engine, databases, signal, leastRolledRows }, query, plans),
  )
  const grouping = { groupBy: query.series[0]?.groupBy ?? [], otherGroups, readFrom: readFromIn(answers) }
  // `ratio` is handled like on deployments: like the default, each series separately (docs/DEPLOYMENTS.md#chart-series).
  if (query.seriesReturnType === 'column') return asColumns(answers, grouping)
  return pivoted(answers, grouping)
}

interface Answer {
  answers: Answered[]
  /** How many groups are answered as one; 0 if each is by itself. */
  otherGroups: number
}

/** Up to so many groups of metrics are more likely a part than all of them, and to try all takes as long as to read them. */
const fewGroups = 100

/** The means to answer a query. */
interface Reading {
  engine: Engine
  databases: ReadableDatabases
  signal: AbortSignal
  leastRolledRows: number | undefined
}

/** Runs the query, and again on the rows alone if a roll-up lacks something that it needs. */
async function answerOf(reading: Reading, query: ParsedChartQuery, plans: readonly Plan[]): Promise<Answer> {
  const { engine, signal } = reading
  const run: Run = (sql, params) => engine.query<StatementRow>(sql, { params, signal, scans: true })
  const runRolled: Run = (sql, params) =>
    run(sql, params).catch((error: unknown) => {
      throw leftOutError(error)
    })
  try {
    return await runPlans(reading, { query, plans, run: runRolled })
  } catch (error) {
    if (!(error instanceof ValuesLeftOut)) throw error
    return runPlans({ ...reading, leastRolledRows: Infinity }, { query, plans, run })
  }
}

interface Asked {
  query: ParsedChartQuery
  plans: readonly Plan[]
  run: Run
}

async function runPlans(reading: Reading, { query, plans, run }: Asked): Promise<Answer> {
  const whole = async (asked: ParsedChartQuery) => {
    const statements = await Promise.all(statementsOf(reading, asked, plans))
    return Promise.all(statements.map((statement) => runStatement(statement, run)))
  }
  const { topGroups, series } = query
  if (topGroups === undefined || series[0]?.groupBy.length === 0) return { answers: await whole(query), otherGroups: 0 }
  const mayBeAll = topGroups > fewGroups || plans.every(({ source }) => source.kind !== 'metric')
  if (mayBeAll && !query.topGroupsRange) {
    const points = Math.min(maxPoints, topGroups * bucketsOf(query))
    const answers = await allGroups(await Promise.all(statementsOf(reading, query, plans)), { topGroups, points }, run)
    if (answers) return { answers, otherGroups: 0 }
  }
  const most = fittingGroups(query, topGroups)
  const ranking = await Promise.all(statementsOf(reading, { ...query, ...query.topGroupsRange, ranks: true }, plans))
  const { largest, total } = await at(pathOf(plans), () => rankedGroups(ranking, most, run))
  if (total <= most) return { answers: await whole(query), otherGroups: 0 }
  return { answers: await whole({ ...query, kept: largest }), otherGroups: total - largest.length }
}

/** As many groups as may have a point in each bucket, with the others as one more. */
function fittingGroups(query: ParsedChartQuery, topGroups: number): number {
  return Math.max(1, Math.min(topGroups, Math.floor(maxPoints / bucketsOf(query)) - 1))
}

/** The number of buckets at most: the first and the last may be parts of one, and a change of clocks may add one. */
function bucketsOf({ startTime, endTime, granularity }: ParsedChartQuery): number {
  return Math.ceil((endTime - startTime) / 1000 / granularitySeconds(granularity, startTime, endTime)) + 2
}

const tooManyGroups = 158

/** All groups, each by itself; null as soon as there are more, or more points of a statement than they can have. */
async function allGroups(
  statements: readonly Statement[],
  most: { topGroups: number; points: number },
  run: Run,
): Promise<Answered[] | null> {
  // The time series of a metric are grouped first, and may be more than its points.
  const settingsOf = ({ plans }: Statement) =>
    plans[0]?.source.kind === 'metric' ? '' : ` SETTINGS max_rows_to_group_by = ${most.points}`
  try {
    const answers = await Promise.all(
      statements.map(async (statement): Promise<Answered> => {
        const rows = await at(
          pathOf(statement.plans),
          () => rowsOf(statement, run, settingsOf(statement)),
          tooManyGroups,
        )
        if (rows.length > maxPoints) throw new TooManyPoints(pathOf(statement.plans))
        return { statement, rows }
      }),
    )
    return groupsIn(answers) <= most.topGroups ? answers : null
  } catch (error) {
    if (error instanceof TooManyPoints || (error instanceof EngineError && error.code === tooManyGroups)) return null
    throw error
  }
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

/** The statements of a query that read no roll-up and leave out no group. Throws as `querySeries` does. */
export async function statementsOfRows(
  engine: Engine,
  query: ParsedChartQuery,
  readable: Readable,
  signal: AbortSignal,
): Promise<Statement[]> {
  const plans = await plansOf(engine, query, readable)
  const reading = { engine, databases: readable.databases, signal, leastRolledRows: Infinity }
  return Promise.all(statementsOf(reading, query, plans))
}

/** Series over events of one table share a statement; metrics and complete expressions have one each. */
function statementsOf(reading: Reading, query: ParsedChartQuery, plans: readonly Plan[]): Promise<Statement>[] {
  const { engine } = reading
  const metrics = plans.filter(({ source }) => source.kind === 'metric')
  const alone = plans.filter(({ source, series }) => source.kind !== 'metric' && series.aggFn === 'none')
  const events = plans.filter((plan) => !metrics.includes(plan) && !alone.includes(plan))
  const bySource = [...new Set(events.map(({ source }) => source))].map((source) =>
    events.filter((plan) => plan.source === source),
  )
  return [
    ...bySource.map(async (plans) => eventStatement(engine, query, plans, await rolledPart(reading, query, plans))),
    ...alone.map((plan) => eventStatement(engine, query, [plan])),
    ...metrics.map((plan) => metricStatement(engine, query, plan)),
  ]
}

async function runStatement(statement: Statement, run: Run): Promise<Answered> {
  const path = pathOf(statement.plans)
  const rows = await at(path, () => rowsOf(statement, run))
  if (rows.length > maxPoints) throw new TooManyPoints(path)
  return { statement, rows }
}

function pathOf([only, ...others]: readonly Plan[]): string {
  return only && others.length === 0 ? only.path : 'series'
}

class TooManyPoints extends ChartError {
  constructor(path: string) {
    super(
      400,
      path,
      `the result has more than ${maxPoints} points: choose a coarser granularity, a shorter range or fewer groups`,
    )
  }
}

/** The first error stops the other statements. */
async function runTogether<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
