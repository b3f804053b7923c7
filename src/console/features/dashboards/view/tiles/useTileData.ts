/**
 * The responses to a tile's queries: one read for each tile, only while it is near the visible part of the page. It is
 * cancelled when the tile leaves.
 */
import { keepPreviousData, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { charts, type ChartPoint } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { queryCharts } from '#console/charting/queryCharts.ts'
import { portableQuery } from '#console/charting/chartRequest.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { queryKey } from '#console/api/queryClient.ts'
import type { QueryPlan } from '#console/charting/tiles/tileQuery.ts'

export interface TileAnswers {
  /** One list of points for every request of the plan. */
  points: ChartPoint[][]
  /** When they were read, epoch milliseconds. */
  readAt: number
  plan: QueryPlan
}

/** The read of a tile. The same query over the same range is served from the cache for a minute. */
export function tileQueryOptions(connectionId: string, plan: QueryPlan | null, sources: readonly Source[]) {
  const queries = plan?.requests.map(({ query }) => query) ?? []
  return queryOptions<TileAnswers, ApiFailure>({
    queryKey: queryKey(
      connectionId,
      charts.query,
      queries.map((query) => portableQuery(query, sources)),
    ),
    queryFn: async ({ signal, queryKey: read }) => {
      const points = await Promise.all(
        queries.map((query) => queryCharts(connectionId, query, sources, { signal, read, priority: 'visible' })),
      )
      return { points, readAt: Date.now(), plan: plan! } // no query without a plan
    },
    staleTime: 60_000,
  })
}

export function useTileData(
  connectionId: string,
  plan: QueryPlan | null,
  enabled: boolean,
  sources: readonly Source[],
): UseQueryResult<TileAnswers, ApiFailure> {
  return useQuery({
    ...tileQueryOptions(connectionId, plan, sources),
    enabled: enabled && plan !== null,
    placeholderData: keepPreviousData,
  })
}
