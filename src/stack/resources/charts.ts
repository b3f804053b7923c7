/** Chart series: docs/DEPLOYMENTS.md#chart-series. */
import type { ChartPoint, ChartQueryAsSent, charts } from '#contract/stack/charts.ts'
import type { chartExplanation } from '#contract/stack/explanation.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { StackContext } from './context.ts'
import { InvalidInput, Refusal } from '../refusal.ts'
import { querySeriesAsDeployments } from '../telemetry/deployment/querySeries.ts'
import { EngineAborted, EngineBusy, EngineError } from '../telemetry/engine/engineError.ts'
import { explainRows } from '../telemetry/explanation/explainRows.ts'
import { readableStatements } from '../telemetry/series/readableStatements.ts'
import { querySeries } from '../telemetry/series/seriesQuery.ts'
import { ChartError } from '../telemetry/series/chartError.ts'
import type { ParsedChartQuery } from '../telemetry/series/seriesPlan.ts'
import { sourceRows } from './sources.ts'
import { databasesFor } from './sourceTables.ts'

export const chartHandlers: Handlers<typeof charts & typeof chartExplanation, StackContext> = {
  query: async ({ body }, context) => {
    const { engine, signal, chartBehavior = 'own' } = context
    if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
    const asDeployment = chartBehavior === 'deployment'
    if (asDeployment) requireSeriesFields(body)
    try {
      const answer = await (asDeployment ? querySeriesAsDeployments : querySeries)(
        engine,
        withChartDefaults(body),
        await readableOf(context),
        signal,
      )
      // Points or rows, depending on `seriesReturnType`.
      return answer as ChartPoint[]
    } catch (error) {
      throw refusalOf(error, asDeployment)
    }
  },

  async statements({ body }, context) {
    const { engine, signal } = context
    if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
    try {
      return await readableStatements(engine, withChartDefaults(body), await readableOf(context), signal)
    } catch (error) {
      throw refusalOf(error, false)
    }
  },

  async explain({ body }, context) {
    const { engine, signal } = context
    if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
    try {
      return await explainRows(engine, body, await readableOf(context), signal)
    } catch (error) {
      throw refusalOf(error, false)
    }
  },

  progress: async ({ query }, { progressOf }) => progressOf(query.ids.split(',')),
}

const readableOf = async (context: StackContext) => ({
  sources: await sourceRows.all(context.store),
  databases: await databasesFor(context),
})

/** Deployments require `where` and `groupBy` in every series. */
function requireSeriesFields({ series }: ChartQueryAsSent): void {
  const issues = series.flatMap((item, index) =>
    (['where', 'groupBy'] as const)
      .filter((field) => item[field] === undefined)
      .map((field) => ({ path: `series.${index}.${field}`, message: 'Required', input: undefined })),
  )
  if (issues.length > 0) throw new InvalidInput([{ part: 'Body', issues }])
}

const withChartDefaults = (body: ChartQueryAsSent): ParsedChartQuery => ({
  ...body,
  series: body.series.map((one) => ({ ...one, where: one.where ?? '', groupBy: one.groupBy ?? [] })),
})

function refusalOf(error: unknown, asDeployment: boolean): unknown {
  // Deployments respond to every error in a query with 500.
  if (error instanceof ChartError) {
    return asDeployment && error.status === 400
      ? new Refusal(500, error.reason)
      : new Refusal(error.status, formatChartError(error))
  }
  if (error instanceof EngineAborted) return new Refusal(503, 'The query was cancelled')
  if (error instanceof EngineBusy) return new Refusal(503, error.message, error.retryAfter)
  if (error instanceof EngineError) return new Refusal(503, error.message)
  return error
}

/** The message in the format of an invalid body, so that clients find the field. */
function formatChartError({ status, path, message }: ChartError): string {
  return status === 400 && path ? `Body validation failed: ${message}` : message
}
