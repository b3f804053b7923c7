/** The one way to ask for chart series: what is sent and what is read of the answer is the same on every deployment. */
import { charts, type ChartPoint, type ChartQuery, type ChartRow } from '#contract/charts.ts'
import type { Source } from '#contract/sources.ts'
import { call, type CallOptions } from '../api/call.ts'
import { pointsOf } from './chartAnswer.ts'
import { sentQuery } from './chartRequest.ts'
import { GroupsUnknown } from '../api/groupsUnknown.ts'

/**
 * Asks a connection for chart series. Throws ApiFailure, GroupsUnknown among them.
 * @param sources those of the connection, as far as they are known
 */
export function askCharts(
  connectionId: string,
  query: ChartQuery,
  sources: readonly Source[],
  options: CallOptions = {},
): Promise<ChartPoint[]> {
  return askWith((body) => call(connectionId, charts.query, { body }, options), query, sources)
}

/** The same over any way to send a query. */
export async function askWith(
  send: (body: ChartQuery) => Promise<readonly (ChartPoint | ChartRow)[]>,
  query: ChartQuery,
  sources: readonly Source[],
): Promise<ChartPoint[]> {
  const sent = sentQuery(query, sources)
  const points = pointsOf(sent, await send(sent))
  if (points) return points
  if (sent.seriesReturnType !== 'column') {
    // Rows have the groups under the names that the engine gave them, whatever those are.
    const rows = { ...sent, seriesReturnType: 'column' as const }
    const found = pointsOf(rows, await send(rows))
    if (found) return found
  }
  throw new GroupsUnknown(query.series[0]?.groupBy ?? [])
}
