/** The pipes of all services of the organization. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#console/api/queries.ts'
import { sameRevision } from '#console/api/revisions.ts'
import type { Connection } from '#contract/connections.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { services } from '#contract/services.ts'

export type PipeRow = Pipe & { serviceId: string; serviceName: string }

/**
 * Lists asked for at a time: about what a key is allowed at once. The others wait here, where leaving the page is all it takes
 * to forget them, and not in the gateway, which gives up on what waits for long.
 */
const atATime = 8

/** Milliseconds between two looks at the states while the page is in sight: many services leave room for other requests. */
export const listPollInterval = (services: number): number => Math.max(30_000, services * 4_000)

/** The API lists the pipes of one service: all of them are one list a service. Those that came are shown meanwhile. */
export function usePipes(connection: Connection, offered: boolean) {
  const all = useQuery({ ...q(connection.id, services.list, {}), enabled: offered })
  const [loading, setAsked] = useState(atATime)
  const lists = useQueries({
    queries: (all.data ?? []).map(({ id }, at) => ({
      // Of a long list the rest gives way to clicks and to the metrics.
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
  if (loading < Math.min(read + atATime, lists.length)) setAsked(read + atATime)
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
    /** Services whose pipes were read, of all; null once that is all of them. */
    progress: all.data === undefined || complete ? null : { read, of: lists.length },
    error,
    retry: () => {
      void all.refetch()
      for (const list of lists) if (list.error) void list.refetch()
    },
  }
}
