/** The deliveries of an alert: the newest ones while the page is visible, and older ones on request. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '#console/api/call.ts'
import { asFailure } from '#console/api/failure.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import { alerts } from '#contract/stack/alerts.ts'

/** Milliseconds between two reads while the page is visible. */
const pollInterval = 30_000
/** Milliseconds between two reads while a delivery is pending. */
const pendingInterval = 5_000
const pageSize = 20

export interface Deliveries {
  /** False if the deployment has no list of them. */
  offered: boolean
  /** Newest first; undefined until they are read. */
  list: readonly AlertDelivery[] | undefined
  error: unknown
  refetch: () => void
  /** Older ones may exist. */
  hasMore: boolean
  older: { read: () => void; pending: boolean; error: unknown }
}

export function useDeliveries(alertId: string): Deliveries {
  const connection = useConnection()
  const isOffered = useFeatureOffer(connection, alerts.deliveries)
  const params = { alertId }
  const newest = useQuery({
    // After the first reads of the page: the limit of a key may be 10 requests in 10 seconds.
    ...q(connection.id, alerts.deliveries, { params, query: { limit: pageSize } }, { priority: 'background' }),
    enabled: isOffered,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ status }) => status === 'pending') ? pendingInterval : pollInterval,
  })
  // The entries on the page when older ones were read, and these.
  const [kept, setKept] = useState<{ list: readonly AlertDelivery[]; hasMore: boolean } | null>(null)
  const list = useMemo(() => (newest.data ? joined(newest.data, kept?.list) : undefined), [newest.data, kept])
  const older = useMutation({
    mutationFn: (before: string) =>
      call(connection.id, alerts.deliveries, { params, query: { limit: pageSize, before } }),
    onSuccess: (read) => setKept({ list: [...(list ?? []), ...read], hasMore: read.length === pageSize }),
  })
  // The alert was read: "not found" can only mean the route.
  const missing = newest.error !== null && ['notOffered', 'notFound'].includes(asFailure(newest.error).code)
  const last = list?.at(-1)?.id
  const isJoined = list !== undefined && list !== newest.data
  return {
    offered: isOffered && !missing,
    list,
    error: missing ? null : newest.error,
    refetch: () => void newest.refetch(),
    hasMore: isJoined ? (kept?.hasMore ?? false) : newest.data?.length === pageSize,
    older: {
      read: () => {
        if (last !== undefined) older.mutate(last)
      },
      pending: older.isPending,
      error: older.error,
    },
  }
}

/** The newest ones with those that were read before; without them if deliveries in between may be missing. */
function joined(newest: readonly AlertDelivery[], kept: readonly AlertDelivery[] = []): readonly AlertDelivery[] {
  const ids = new Set(newest.map(({ id }) => id))
  if (!kept.some(({ id }) => ids.has(id))) return newest
  return [...newest, ...kept.filter(({ id }) => !ids.has(id))]
}
