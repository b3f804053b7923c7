/** The pipes of all services of the organization. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import type { Connection } from '#contract/connections.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { services } from '#contract/services.ts'

export type PipeRow = Pipe & { serviceId: string; serviceName: string }

/** Milliseconds between two looks at the states while the page is in sight. */
const look = 30_000

/** The API lists the pipes of one service: all of them are one list a service. Those that came are shown beside the error. */
export function usePipes(connection: Connection, offered: boolean) {
  const all = useQuery({ ...q(connection.id, services.list, {}), enabled: offered })
  const lists = useQueries({
    queries: (all.data ?? []).map(({ id }) => ({
      ...q(connection.id, pipes.list, { params: { serviceId: id } }),
      refetchInterval: look,
    })),
  })
  const complete = all.data !== undefined && lists.every((list) => !list.isPending)
  const rows = lists.flatMap((list, at): PipeRow[] => {
    const service = all.data?.[at]
    if (!service) return []
    return (list.data ?? []).map((pipe) => ({
      ...pipe,
      serviceId: service.id,
      serviceName: service.name ?? service.id,
    }))
  })
  const error = all.error ?? lists.find((list) => list.error)?.error ?? null
  return {
    rows: complete && (rows.length > 0 || !error) ? rows : undefined,
    error,
    retry: () => {
      void all.refetch()
      for (const list of lists) if (list.error) void list.refetch()
    },
  }
}
