/** Chart series: section 2.3 of the specification, section 10 of the open-source reference. */
import type { ChartPoint, ChartQueryAsSent, charts } from '#contract/charts.ts'
import type { Handlers } from '#contract/kernel.ts'
import type { StackContext } from './context.ts'
import { InvalidInput, Refusal } from '../errors.ts'
import { querySeriesAsDeployments } from '../telemetry/deployment/querySeries.ts'
import { EngineAborted, EngineError } from '../telemetry/engineError.ts'
import { querySeries } from '../telemetry/series/series.ts'
import { ChartError } from '../telemetry/series/chartError.ts'
import type { ParsedChartQuery } from '../telemetry/series/plan.ts'
import { sourceRows } from './sources.ts'
import { databasesFor } from './sourceTables.ts'

export const chartHandlers: Handlers<typeof charts, StackContext> = {
  query: async ({ body }, context) => {
    const { engine, store, signal, chartBehavior = 'own' } = context
    if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
    const asDeployment = chartBehavior === 'deployment'
    if (asDeployment) insist(body)
    try {
      const answer = await (asDeployment ? querySeriesAsDeployments : querySeries)(
        engine,
        filled(body),
        { sources: await sourceRows.all(store), databases: await databasesFor(context) },
        signal,
      )
      // Points or rows, as `seriesReturnType` says, never both.
      return answer as ChartPoint[]
    } catch (error) {
      throw refusalOf(error, asDeployment)
    }
  },
}

/** Deployments refuse series without `where` or `groupBy`. */
function insist({ series }: ChartQueryAsSent): void {
  const issues = series.flatMap((one, index) =>
    (['where', 'groupBy'] as const)
      .filter((field) => one[field] === undefined)
      .map((field) => ({ path: `series.${index}.${field}`, message: 'Required', input: undefined })),
  )
  if (issues.length > 0) throw new InvalidInput([{ part: 'Body', issues }])
}

const filled = (body: ChartQueryAsSent): ParsedChartQuery => ({
  ...body,
  series: body.series.map((one) => ({ ...one, where: one.where ?? '', groupBy: one.groupBy ?? [] })),
})

function refusalOf(error: unknown, asDeployment: boolean): unknown {
  // Deployments answer whatever goes wrong in a query with 500.
  if (error instanceof ChartError) {
    return asDeployment && error.status === 400
      ? new Refusal(500, error.reason)
      : new Refusal(error.status, formatChartError(error))
  }
  if (error instanceof EngineAborted) return new Refusal(503, 'The query was given up')
  if (error instanceof EngineError) return new Refusal(503, error.message)
  return error
}

/** In the words of a body that is not valid: clients find the field by them. */
function formatChartError({ status, path, message }: ChartError): string {
  return status === 400 && path ? `Body validation failed: ${message}` : message
}
