import { useQueries, useQuery } from '@tanstack/react-query'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { isPipeInTrouble, maxServicesRead } from '#console/references/pipesInTrouble.ts'
import type { Connection } from '#contract/console/connections.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { services } from '#contract/cloud/services/services.ts'

interface PipeCount {
  offered: boolean
  /** Undefined until they are read, and where they could not be. */
  trouble?: number
  total?: number
  /** Why it is not known. */
  reason?: string
}

/** The pipes of a connection that need somebody, read behind all other requests. */
export function usePipesInTrouble(connection: Connection): PipeCount {
  const { offered } = useOffer(connection, 'pipes', pipes.list.variants)
  const background = { priority: 'background' } as const
  const all = useQuery({ ...q(connection.id, services.list, {}, background), enabled: offered, retry: false })
  const ids = (all.data ?? []).map(({ id }) => id)
  const lists = useQueries({
    queries: ids.slice(0, maxServicesRead).map((serviceId) => ({
      ...q(connection.id, pipes.list, { params: { serviceId } }, background),
      retry: false,
    })),
  })
  if (!offered) return { offered: false }
  if (ids.length > maxServicesRead) return { offered: true, reason: `Too many services to count: ${ids.length}.` }
  if (all.error || lists.some(({ error }) => error)) return { offered: true, reason: 'They could not be read.' }
  if (!all.data || lists.some(({ data }) => data === undefined)) return { offered: true }
  const found = lists.flatMap(({ data }) => data ?? [])
  return {
    offered: true,
    total: found.length,
    trouble: found.filter(isPipeInTrouble).length,
  }
}
