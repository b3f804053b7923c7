/** The progress of a read, asked for while somebody looks at it. */
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { charts, type QueryProgress } from '#contract/stack/charts.ts'
import { call } from '#console/api/call.ts'
import { allNamesOf, namesOf } from '#console/api/offers/runningReads.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { queryKey } from '#console/api/queryClient.ts'
import { together } from './rowsRead.ts'

const everyMs = 3000
/** The names that one request may have. */
const mostNames = 50

/** Null while it is not known, and on deployments that do not tell it. All reads of a connection share one request. */
export function useQueryProgress(connectionId: string, reads: readonly QueryKey[], enabled: boolean) {
  const isOffered = useFeatureOffer({ id: connectionId }, charts.progress)
  const { data } = useQuery({
    queryKey: queryKey(connectionId, charts.progress, 'running'),
    queryFn: async ({ signal }): Promise<QueryProgress[]> => {
      const ids = allNamesOf(connectionId).slice(0, mostNames).join(',')
      return ids === ''
        ? []
        : call(connectionId, charts.progress, { query: { ids } }, { signal, priority: 'background' })
    },
    enabled: enabled && isOffered,
    refetchInterval: ({ state }) => (state.error ? false : everyMs),
    gcTime: 0,
  })
  if (!enabled || !isOffered || !data) return null
  const names = new Set(reads.flatMap((read) => namesOf(connectionId, read)))
  return together(data.filter(({ id }) => names.has(id)))
}
