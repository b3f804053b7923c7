/** The evaluations of an alert: the newest ones while the page is visible, and older ones on request. */
import { useMutation, useQuery, type QueryKey } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#console/api/call.ts'
import { asFailure } from '#console/api/failure.ts'
import { useOrigin } from '#console/api/offers/offers.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { AlertEvaluation } from '#contract/stack/alertHistory.ts'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { windowLength } from '#domain/alerting/schedule.ts'
import { windowOfHistory, type EvaluatedWindow } from '../model/evaluatedWindows.ts'

/** Milliseconds between two reads while the page is visible. */
const pollInterval = 30_000
/** Windows that are read again with each poll: one that could not be read may be readable later. */
const overlap = 10

interface Loaded {
  items: readonly AlertEvaluation[]
  hasMore: boolean
  nextBefore?: number | undefined
}

export interface Evaluations {
  /** False if the deployment keeps no evaluations. */
  offered: boolean
  /** Where they come from if not from the API: then they are only the newest ones. */
  origin?: string | undefined
  /** Newest first; undefined until they are read. */
  windows: readonly EvaluatedWindow[] | undefined
  error: unknown
  refetch: () => void
  /** Older ones exist. */
  hasMore: boolean
  older: { read: () => void; pending: boolean; error: unknown }
}

export function useEvaluations(alert: Pick<Alert, 'id' | 'interval'>): Evaluations {
  const connection = useConnection()
  const params = { alertId: alert.id }
  const queryKey: QueryKey = [connection.id, alerts.evaluations.resource, alerts.evaluations.verb, 'loaded', alert.id]
  const isOffered = useFeatureOffer(connection, alerts.evaluations)
  const origin = useOrigin(connection, alerts.evaluations)
  const newest = useQuery({
    queryKey,
    enabled: isOffered,
    refetchInterval: pollInterval,
    queryFn: async ({ signal }): Promise<Loaded> => {
      const loaded = queryClient.getQueryData<Loaded>(queryKey)
      const from = loaded?.items[overlap]?.createdAt
      if (!loaded || !from) return call(connection.id, alerts.evaluations, { params }, { signal })
      const query = { startTime: Date.parse(from) }
      const read = await call(connection.id, alerts.evaluations, { params, query }, { signal })
      // The page was hidden for so long that windows are missing in between.
      if (read.hasMore) return call(connection.id, alerts.evaluations, { params }, { signal })
      return { ...loaded, items: [...read.items, ...loaded.items.filter(({ createdAt }) => createdAt < from)] }
    },
  })
  const older = useMutation({
    mutationFn: (before: number) => call(connection.id, alerts.evaluations, { params, query: { before } }),
    onSuccess: ({ items, hasMore, nextBefore }, before) =>
      queryClient.setQueryData<Loaded>(queryKey, (loaded) =>
        loaded && loaded.nextBefore === before ? { items: [...loaded.items, ...items], hasMore, nextBefore } : loaded,
      ),
  })
  const length = windowLength(alert) ?? 0
  const items = newest.data?.items
  const windows = useMemo(() => items?.map((item) => windowOfHistory(item, length)), [items, length])
  // The alert was read: "not found" can only mean the route.
  const missing = newest.error !== null && ['notOffered', 'notFound'].includes(asFailure(newest.error).code)
  const { hasMore = false, nextBefore } = newest.data ?? {}
  return {
    offered: isOffered && !missing,
    origin,
    windows,
    error: missing ? null : newest.error,
    refetch: () => void newest.refetch(),
    hasMore: hasMore && nextBefore !== undefined,
    older: {
      read: () => {
        if (nextBefore !== undefined) older.mutate(nextBefore)
      },
      pending: older.isPending,
      error: older.error,
    },
  }
}
