/** All rows of the page: the sizes of pipes and services, their load over the last days, and the advice. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { recordOffer, useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { send } from '#console/api/send.ts'
import { useServiceRate, useUnitRate } from '#console/records/scaling/savedRates.ts'
import type { Connection } from '#contract/console/connections.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { prometheus } from '#contract/cloud/prometheus.ts'
import { services } from '#contract/cloud/services/services.ts'
import type { LoadedResource, SizeLoads } from '#contract/console/sampling/sizeLoads.ts'
import { usePipes } from '../list/usePipes.ts'
import { usePipeSamples } from '../metrics/usePipeSamples.ts'
import { databaseRow, pipeRow, sizedPipes } from './pipeSizingRows.ts'
import { serviceRow } from './serviceSizingRows.ts'
import { byUrgency, type SizingRow } from './sizingRow.ts'

/** Milliseconds between two reads of the gateway. It samples the deployment at its own interval. */
const readInterval = 60_000
/** Minutes of samples that the lag is projected from. */
const projectedMinutes = 30

/** The key of the loads, to read them again after a change. */
export const sizeLoadsKey = (connectionId: string) => [connectionId, 'prometheus', 'sizeLoads']

export function useSizing(connection: Connection) {
  const { id: connectionId } = connection
  const metrics = useOffer(connection, 'prometheus', prometheus.organization.variants)
  const loads = useQuery({
    queryKey: sizeLoadsKey(connectionId),
    queryFn: async ({ signal }) => {
      const answer = await send<SizeLoads>(fillPath(pagePaths.sizeLoads, { connectionId }), { signal })
      if (answer.error?.code === 'notOffered') recordOffer(connectionId, prometheus.organization, 'notOffered')
      return answer
    },
    enabled: metrics.offered,
    staleTime: 0,
    refetchInterval: readInterval,
  })
  const listed = usePipes(connection)
  const all = useQuery(q(connectionId, services.list, {}))
  const sampling = usePipeSamples(connection, { minutes: projectedMinutes })
  const { alone, shared } = sizedPipes(listed.rows ?? [])
  const sharedSizes = useQueries({
    queries: shared.map(([{ serviceId }]) => q(connectionId, pipes.cdcScaling, { params: { serviceId } })),
  })
  const [rate, serviceRate] = [useUnitRate(connectionId), useServiceRate(connectionId)]
  const loadOf = (resource: LoadedResource, id: string) =>
    loads.data?.loads.find((load) => load.resource === resource && load.id === id)?.load ?? null
  const facts = {
    connectionId,
    rate,
    loadOf: (id: string) => loadOf('pipe', id),
    samplesOf: (id: string) => sampling.samples.get(id) ?? [],
  }
  const rows: SizingRow[] = [
    ...alone.map((pipe) => pipeRow(pipe, facts)),
    ...shared.map((pipesOfIt, at) => databaseRow(pipesOfIt, sharedSizes[at]?.data, facts)),
    ...(all.data ?? []).map((service) =>
      serviceRow(service, { connectionId, rate: serviceRate, load: loadOf('service', service.id) }),
    ),
  ].toSorted(byUrgency)
  const isUnread = loads.data === undefined && loads.error !== null
  const isMeasured = loads.data !== undefined || loads.error !== null || !metrics.offered
  return {
    /** Undefined until sizes and loads are read. */
    rows: all.data && (listed.rows || listed.error) && isMeasured ? (isUnread ? rows.map(unread) : rows) : undefined,
    predictions: loads.data?.predictions ?? [],
    /** Services whose pipes are read so far. */
    progress: listed.progress,
    /** Sizes could not be read. */
    error: all.error ?? listed.error,
    /** Reads again what could not be read. */
    retry: () => {
      if (all.error || listed.error) listed.retry()
      if (loads.error) void loads.refetch()
    },
    /** Loads could not be read, by the console or from the deployment. */
    loadsError: loads.error,
    sampling,
    /** Whether the deployment reports metrics. */
    isOffered: metrics.offered,
  }
}

/** The row of a size whose load could not be read. */
const unread = (row: SizingRow): SizingRow => ({ ...row, reason: row.reason ?? 'Its load could not be read.' })
