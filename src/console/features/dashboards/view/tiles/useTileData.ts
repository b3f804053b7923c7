/** The answers of a tile's queries: one read a tile, only while it is near the window, given up when it leaves. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { charts, type ChartPoint } from '#contract/charts.ts'
import type { Source } from '#contract/sources.ts'
import { queryCharts } from '#console/telemetry/queryCharts.ts'
import { portableQuery } from '#console/telemetry/chartRequest.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { queryKey } from '#console/api/queryClient.ts'
import type { QueryPlan } from '#console/telemetry/tileData.ts'

export interface TileAnswers {
  /** One list of points for every request of the plan. */
  points: ChartPoint[][]
  /** When they were read, epoch milliseconds. */
  readAt: number
  plan: QueryPlan
}

export function useTileData(
  connectionId: string,
  plan: QueryPlan | null,
  enabled: boolean,
  sources: readonly Source[],
): UseQueryResult<TileAnswers, ApiFailure> {
  const queries = plan?.requests.map(({ query }) => query) ?? []
  return useQuery<TileAnswers, ApiFailure>({
    queryKey: queryKey(
      connectionId,
      charts.query,
      queries.map((query) => portableQuery(query, sources)),
    ),
    queryFn: async ({ signal }) => {
      const points = await Promise.all(
        queries.map((query) => queryCharts(connectionId, query, sources, { signal, priority: 'visible' })),
      )
      return { points, readAt: Date.now(), plan: plan! } // no query without a plan
    },
    enabled: enabled && plan !== null,
    // A refresh moves the range and so queries again; the same range is served from the cache.
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
