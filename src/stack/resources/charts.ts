/** Chart series: section 2.3 of the specification, section 10 of the open-source reference. */
import type { ChartPoint, charts } from '#contract/charts.ts'
import type { Handlers } from '#contract/kernel.ts'
import type { StackContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { EngineAborted, EngineError } from '../telemetry/engineError.ts'
import { querySeries } from '../telemetry/series.ts'
import { ChartError } from '../telemetry/series/chartError.ts'
import { sourceRows } from './sources.ts'
import { databasesFor } from './sourceTables.ts'

export const chartHandlers: Handlers<typeof charts, StackContext> = {
  query: async ({ body }, context) => {
    const { engine, store, signal } = context
    if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
    try {
      // Rows of `seriesReturnType: 'column'` are none of the contract's points: no page of ours asks for them.
      const databases = await databasesFor(context)
      return (await querySeries(
        engine,
        body,
        { sources: await sourceRows.all(store), databases },
        signal,
      )) as ChartPoint[]
    } catch (error) {
      throw refusalOf(error)
    }
  },
}

function refusalOf(error: unknown): unknown {
  if (error instanceof ChartError) return new Refusal(error.status, wordsOf(error))
  if (error instanceof EngineAborted) return new Refusal(503, 'The query was given up')
  if (error instanceof EngineError) return new Refusal(503, error.message)
  return error
}

/** In the words of a body that is not valid: clients find the field by them. */
function wordsOf({ status, path, message }: ChartError): string {
  return status === 400 && path ? `Body validation failed: ${message}` : message
}
