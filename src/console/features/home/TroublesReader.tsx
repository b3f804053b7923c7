import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fillPath } from '#contract/kernel.ts'
import { pagePaths } from '#contract/pagePaths.ts'
import type { PipeSamples } from '#contract/pipeSamples.ts'
import { send } from '#console/api/send.ts'
import { describeOverload, listWindow } from '#console/shell/sampling/severity.ts'
import { isOffered } from '#console/api/offers.ts'
import { q } from '#console/api/queries.ts'
import { isPipeInTrouble, isServiceInTrouble, maxServicesRead } from '#console/references/pipesInTrouble.ts'
import type { Connection } from '#contract/connections.ts'
import { pipes as pipeEndpoints, type Pipe } from '#contract/pipes.ts'
import { services as serviceEndpoints } from '#contract/services.ts'
import type { Troubles } from './troubles.ts'
import { useKeyExpiries } from './useKeyExpiries.ts'

const background = { priority: 'background' } as const

interface TroublesReaderProps {
  connections: readonly Connection[]
  /** Milliseconds between two readings. */
  interval: number
  onRead: (troubles: Troubles[]) => void
}

/**
 * Reads the pipes and services of all connections that need somebody, behind all other requests. It draws nothing: apart
 * from the page, which does not wait for the code of their schemas.
 */
export function TroublesReader({ connections, interval, onRead }: TroublesReaderProps) {
  const expiries = useKeyExpiries(connections)
  const troubles = useTroubles(connections, interval)
  const loads = useLoads(connections, troubles, interval)
  const read = troubles.map((one, at): Troubles => ({ ...one, ...loads[at], expiringKey: expiries[at] }))
  useEffect(() => onRead(read))
  return null
}

interface ReadTroubles extends Troubles {
  running?: readonly { pipe: Pipe; serviceId: string }[]
}

function useTroubles(connections: readonly Connection[], interval: number): ReadTroubles[] {
  const offers = connections.map((one) => isOffered(one, 'pipes', pipeEndpoints.list.variants))
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
  return connections.map(({ id }, at): ReadTroubles => {
    const list = lists[at]
    if (!offers[at] || !list) return { offered: false }
    if (list.error) return { offered: true, reason: 'The services could not be read.' }
    if (!list.data) return { offered: true }
    const inTrouble = list.data.filter(isServiceInTrouble)
    if (list.data.length > maxServicesRead) {
      return {
        offered: true,
        services: inTrouble,
        reason: `Pipes of ${list.data.length} services are too many to read here.`,
      }
    }
    const found = places.flatMap((place, index) =>
      place.connectionId === id ? [{ serviceId: place.serviceId, read: pipeLists[index] }] : [],
    )
    if (found.some(({ read }) => read?.error)) {
      return { offered: true, services: inTrouble, reason: 'Some pipes could not be read.' }
    }
    if (found.some(({ read }) => read?.data === undefined)) return { offered: true }
    const pipes = found.flatMap(({ serviceId, read }) => (read?.data ?? []).map((pipe) => ({ pipe, serviceId })))
    return {
      offered: true,
      services: inTrouble,
      pipes: pipes.filter(({ pipe }) => isPipeInTrouble(pipe)),
      running: pipes.filter(({ pipe }) => pipe.state === 'Running'),
      total: { pipes: pipes.length, services: list.data.length },
    }
  })
}

/** Which of the running pipes are at the limit of their size, from the samples that the gateway takes while a page shows them. */
function useLoads(
  connections: readonly Connection[],
  troubles: readonly ReadTroubles[],
  interval: number,
): Pick<Troubles, 'overloaded' | 'isLoadUnknown'>[] {
  const reads = useQueries({
    queries: connections.map(({ id }, at) => ({
      queryKey: [id, 'prometheus', 'loads'],
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const path = fillPath(pagePaths.pipeSamples, { connectionId: id })
        return send<PipeSamples>(`${path}?minutes=${listWindow / 60_000}`, { signal })
      },
      enabled: (troubles[at]?.running?.length ?? 0) > 0,
      refetchInterval: interval,
      retry: false,
    })),
  })
  return connections.map((_, at) => {
    const { data, error } = reads[at] ?? {}
    const running = troubles[at]?.running ?? []
    if (running.length === 0) return {}
    const samplesOf = new Map(data?.pipes.map(({ id, samples }) => [id, samples]))
    return {
      overloaded: running.flatMap((one) => {
        const says = describeOverload(samplesOf.get(one.pipe.id) ?? [])
        return says === null ? [] : [{ ...one, says }]
      }),
      isLoadUnknown: error != null || data?.error != null,
    }
  })
}
