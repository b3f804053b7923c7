/** The pipes of all services of the organization. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#console/api/queries.ts'
import { sameRevision } from '#console/api/revisions.ts'
import type { Connection } from '#contract/console/connections.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { services } from '#contract/cloud/services/services.ts'

export type PipeRow = Pipe & { serviceId: string; serviceName: string }

/**
 * Lists requested at a time: about as many as the rate limit allows at once. The others wait here rather than in the
 * gateway, which rejects requests that wait too long; leaving the page cancels them.
 */
const atATime = 8

/** Milliseconds between two polls. It grows with the number of services, to leave room for other requests. */
const listPollInterval = (services: number): number => Math.max(30_000, services * 4_000)

/** The API lists pipes per service, so all pipes take one request per service. Loaded lists are shown meanwhile. */
export function usePipes(connection: Connection) {
  const all = useQuery(q(connection.id, services.list, {}))
  const [loading, setLoading] = useState(atATime)
  const lists = useQueries({
    queries: (all.data ?? []).map(({ id }, at) => ({
      // The rest of a long list has a lower priority than clicks and metrics.
      ...q(
        connection.id,
        pipes.list,
        { params: { serviceId: id } },
        { priority: at < atATime ? 'visible' : 'background' },
      ),
      enabled: at < loading,
      refetchInterval: listPollInterval(all.data?.length ?? 0),
    })),
  })
  const read = lists.filter((list) => !list.isPending).length
  if (loading < Math.min(read + atATime, lists.length)) setLoading(read + atATime)
  const complete = all.data !== undefined && read === lists.length
  const rows = lists.flatMap((list, at): PipeRow[] => {
    const service = all.data?.[at]
    if (!service) return []
    return (list.data ?? []).map((pipe) =>
      sameRevision(pipe, { ...pipe, serviceId: service.id, serviceName: service.name ?? service.id }),
    )
  })
  const error = all.error ?? lists.find((list) => list.error)?.error ?? null
  return {
    rows: rows.length > 0 || (complete && !error) ? rows : undefined,
    /** The number of services whose pipes are loaded. Null once all are. */
    progress: all.data === undefined || complete ? null : { read, of: lists.length },
    error,
    retry: () => {
      void all.refetch()
      for (const list of lists) if (list.error) void list.refetch()
    },
  }
}
