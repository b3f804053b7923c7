import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryCharts } from '#console/charting/queryCharts.ts'
import { resolveRange } from '#console/ui/time/range.ts'
import type { ChartPoint } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { askedGroups, type ChartRequest, requestOf } from './query.ts'
import type { ExplorerState } from './state.ts'

export interface ExplorerData {
  points: ChartPoint[]
  /** The points of the range before; null if they were not requested. */
  previous: ChartPoint[] | null
  request: ChartRequest
  /** Epoch milliseconds: what `now` meant. */
  readAt: number
}

/**
 * The result of a state. The key of the query contains the range as it was typed: `now` is resolved when the request is
 * sent, so a refresh uses the current time. An outdated request is cancelled in the engine.
 */
export function explorerQuery(connectionId: string, state: ExplorerState, sources: readonly Source[]) {
  const { from, to, tz, g, groupBy, compare } = state
  // One value for the range needs another query than its course.
  const total = state.view === 'number'
  // A name changes the chart, not the query.
  const series = state.series.map((seriesState) => ({ ...seriesState, alias: '' }))
  const groups = askedGroups(state, sources)
  return queryOptions({
    queryKey: [
      connectionId,
      'charts',
      'explorer',
      { from, to, tz, g, groupBy, compare, series, groups },
      total,
    ] as const,
    queryFn: async ({ signal, queryKey }): Promise<ExplorerData> => {
      const readAt = Date.now()
      const span = resolveRange({ from, to }, { now: readAt, zone: tz })
      if ('problem' in span) throw new RangeError(span.problem)
      const request = requestOf(state, span, sources)
      const read = (body: ChartRequest['query']) => queryCharts(connectionId, body, sources, { signal, read: queryKey })
      const [points, previous] = await Promise.all([
        read(request.query),
        compare !== 'off' ? read(shiftQuery(request.query, request.earlier)) : null,
      ])
      return { points, previous, request, readAt }
    },
  })
}

/** The query of an earlier range, for the groups of this one. */
function shiftQuery(query: ChartRequest['query'], by: number): ChartRequest['query'] {
  const { startTime, endTime, topGroups } = query
  return {
    ...query,
    startTime: startTime - by,
    endTime: endTime - by,
    ...(topGroups !== undefined && { topGroupsRange: { startTime, endTime } }),
  }
}

/** Reads the result. While it is loading, the previous result is kept if it is of the same type. */
export function useExplorerData(
  connectionId: string,
  state: ExplorerState,
  sources: readonly Source[],
  ready: boolean,
) {
  return useQuery({
    ...explorerQuery(connectionId, state, sources),
    enabled: ready,
    placeholderData: (before, query) =>
      query?.queryKey[0] === connectionId && query.queryKey[4] === (state.view === 'number') ? before : undefined,
  })
}
