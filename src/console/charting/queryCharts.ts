/** Queries chart series in the same way on every deployment. */
import { charts, type ChartPoint, type ChartQuery, type ChartRow } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { call, type CallOptions } from '#console/api/call.ts'
import { pointsOf } from '#domain/series/chartResponse.ts'
import { portableQuery } from './chartRequest.ts'
import { UnknownGroupsError } from '#console/api/groupErrors.ts'

/**
 * Queries chart series. Throws ApiFailure, UnknownGroupsError among them.
 * @param sources those of the connection, as far as they are known
 */
export function queryCharts(
  connectionId: string,
  query: ChartQuery,
  sources: readonly Source[],
  options: CallOptions = {},
): Promise<ChartPoint[]> {
  const send = (body: ChartQuery) => call(connectionId, charts.query, { body }, options)
  return queryChartsWith(send, query, sources).catch(async (error: unknown) => {
    // Read when it is needed: few queries are refused.
    const { chartRefusal } = await import('./chartRefusal.ts')
    throw chartRefusal(error, query)
  })
}

/** Runs a chart query with a custom transport. */
export async function queryChartsWith(
  send: (body: ChartQuery) => Promise<readonly (ChartPoint | ChartRow)[]>,
  query: ChartQuery,
  sources: readonly Source[],
): Promise<ChartPoint[]> {
  const sent = portableQuery(query, sources)
  const points = pointsOf(sent, await send(sent))
  if (points) return points
  if (sent.seriesReturnType !== 'column') {
    // Rows have the groups under the names that the engine gave them, whatever those are.
    const rows = { ...sent, seriesReturnType: 'column' as const }
    const found = pointsOf(rows, await send(rows))
    if (found) return found
  }
  throw new UnknownGroupsError(query.series[0]?.groupBy ?? [])
}
