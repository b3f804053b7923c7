import { useQueries, type Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fillPath } from '#contract/wire/kernel.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import type { PipeSamples } from '#contract/console/sampling/pipeSamples.ts'
import { send } from '#console/api/send.ts'
import { listWindow } from '#console/charting/sampling/severity.ts'
import { isOffered } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { maxServicesRead } from '#console/usages/pipesInTrouble.ts'
import type { Connection } from '#contract/console/connections.ts'
import { pipes as pipeEndpoints } from '#contract/cloud/pipes/pipes.ts'
import { services as serviceEndpoints } from '#contract/cloud/services/services.ts'
import { formatIsoDay } from '#console/ui/time/formatTime.ts'
import { useNow } from '#console/ui/Timestamp.tsx'
import { usageCost } from '#contract/cloud/organization/usageCost.ts'
import { connectionKeyQuery } from '#console/api/gateway/apiKeys.ts'
import { keyExpiry } from '#console/records/apiKeys/keyExpiry.ts'
import { loadsOf, problemsOf, type ReadProblems, type Problems } from './problems.ts'

const background = { priority: 'background' } as const

interface ProblemsReaderProps {
  connections: readonly Connection[]
  /** Milliseconds between two readings. */
  interval: number
  onRead: (problems: Problems[]) => void
}

/**
 * Reads the pipes and services of all connections that need somebody, behind all other requests. It draws nothing: apart
 * from the page, which does not wait for the code of their schemas.
 */
export function ProblemsReader({ connections: all, interval, onRead }: ProblemsReaderProps) {
  // Even a query that is never sent takes time for each connection that has none of this.
  const connections = all.filter(({ variant }) => variants.has(variant))
  const expiries = useKeyExpiries(connections)
  const problems = useProblems(connections, interval)
  const loads = useLoads(connections, problems, interval)
  const costs = useCosts(connections)
  const read = new Map(
    connections.map(({ id }, at): [string, Problems] => [
      id,
      { offered: false, ...problems[at], ...loads[at], ...expiries[at], cost: costs[at] },
    ]),
  )
  useEffect(() => onRead(all.map(({ id }) => read.get(id) ?? { offered: false })))
  return null
}

/** The variants that have any of what is read. Only managed deployments tell when a key ends. */
const variants: ReadonlySet<Connection['variant']> = new Set([
  'managed',
  ...pipeEndpoints.list.variants,
  ...usageCost.get.variants,
])

function useProblems(connections: readonly Connection[], interval: number): ReadProblems[] {
  const offers = connections.map((connection) => isOffered(connection, 'pipes', pipeEndpoints.list.variants))
  const lists = useQueries({
    queries: connections.map(({ id }, at) => ({
      ...q(id, serviceEndpoints.list, {}, background),
      enabled: offers[at] === true,
      refetchInterval: interval,
      retry: false,
    })),
  })
  const places = connections.flatMap(({ id }, at) => {
    const services = lists[at]?.data ?? []
    // With more, none is read: a part of the pipes would be a false figure.
    return services.length > maxServicesRead
      ? []
      : services.map((service) => ({ connectionId: id, serviceId: service.id }))
  })
  const pipeLists = useQueries({
    queries: places.map(({ connectionId, serviceId }) => ({
      ...q(connectionId, pipeEndpoints.list, { params: { serviceId } }, background),
      refetchInterval: interval,
      retry: false,
    })),
  })
  return connections.map(({ id }, at): ReadProblems => {
    const list = lists[at]
    if (!offers[at] || !list) return { offered: false }
    const found = places.flatMap(({ connectionId, serviceId }, index) =>
      connectionId === id ? [{ serviceId, read: pipeLists[index] }] : [],
    )
    return problemsOf(list, found)
  })
}

/** The usage of this month, CHC. A stack of this machine bills nobody. */
function useCosts(connections: readonly Connection[]): (number | undefined)[] {
  const now = useNow()
  const [from, to] = [formatIsoDay(now, 'utc').replace(/\d\d$/, '01'), formatIsoDay(now, 'utc')]
  const reads = useQueries({
    queries: connections.map((connection) => ({
      ...q(connection.id, usageCost.get, { query: { from_date: from, to_date: to } }, background),
      enabled: connection.stage !== 'local' && isOffered(connection, 'usageCost', usageCost.get.variants),
      staleTime: 60 * 60_000,
      retry: false,
    })),
  })
  return reads.map(({ data }) => (data && data.notBilled !== true ? data.grandTotalCHC : undefined))
}

/** Milliseconds between two readings of loads until the gateway has taken the first samples. */
const untilSampled = 3_000

function useLoads(
  connections: readonly Connection[],
  problems: readonly ReadProblems[],
  interval: number,
): ReturnType<typeof loadsOf>[] {
  const reads = useQueries({
    queries: connections.map(({ id }, at) => ({
      queryKey: [id, 'prometheus', 'loads'],
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const path = fillPath(pagePaths.pipeSamples, { connectionId: id })
        return send<PipeSamples>(`${path}?minutes=${listWindow / 60_000}`, { signal })
      },
      enabled: (problems[at]?.running?.length ?? 0) > 0,
      refetchInterval: ({ state: { data } }: Query<PipeSamples>) =>
        data && data.at === null && data.error === null ? untilSampled : interval,
      retry: false,
    })),
  })
  return connections.map((_, at) => loadsOf(problems[at]?.running, reads[at] ?? { data: undefined, error: null }))
}

/** Keys that end soon, in the order of the connections. */
function useKeyExpiries(connections: readonly Connection[]): Pick<Problems, 'expiringKey' | 'keyState'>[] {
  const now = useNow()
  const reads = useQueries({
    queries: connections.map(({ id, variant }) => ({ ...connectionKeyQuery(id), enabled: variant === 'managed' })),
  })
  return reads.map(({ data, isError, isLoading }) => ({
    expiringKey: data && keyExpiry(data, now),
    keyState: isError ? 'unknown' : isLoading ? 'pending' : undefined,
  }))
}
