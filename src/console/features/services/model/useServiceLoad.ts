/** The memory that the fullest replica of a service used over the last day, as far as the gateway has measured it. */
import { useQuery } from '@tanstack/react-query'
import { recordOffer, useOffer } from '#console/api/offers/offers.ts'
import { send } from '#console/api/send.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { Load } from '#console/ui/form/fields/sliderParts.tsx'
import { fillPath } from '#contract/wire/kernel.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { prometheus } from '#contract/cloud/prometheus.ts'
import type { ServiceLoadResponse, ServiceLoad } from '#contract/console/sampling/serviceSamples.ts'
import { formatLength } from '#console/ui/time/formatLength.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { formatShort } from '#domain/charts/units.ts'
import { stateLabel } from './serviceLabels.ts'

/** Milliseconds between two reads of the gateway. It samples the deployment at its own interval. */
const readInterval = 60_000

/** In GiB. Undefined until it is known whether anything is measured. */
export function useServiceLoad(serviceId: string): Load | undefined {
  const connection = useConnection()
  const { offered } = useOffer(connection, 'prometheus', prometheus.organization.variants)
  const query = useQuery({
    queryKey: [connection.id, 'prometheus', 'load', serviceId],
    queryFn: async ({ signal }) => {
      const path = fillPath(pagePaths.serviceLoad, { connectionId: connection.id })
      const answer = await send<ServiceLoadResponse>(`${path}?${new URLSearchParams({ service: serviceId })}`, {
        signal,
      })
      if (answer.error?.code === 'notOffered') recordOffer(connection.id, prometheus.organization, 'notOffered')
      return answer
    },
    enabled: offered,
    staleTime: 0,
    refetchInterval: readInterval,
  })
  if (!offered) return { text: 'No measurements: this deployment does not provide metrics.' }
  if (query.error) return { text: 'No measurements yet: they could not be read.' }
  return query.data && serviceLoad(query.data, query.dataUpdatedAt)
}

const gib = 2 ** 30
const day = 24 * 3_600_000
/** Milliseconds whose measurements count as one. */
const slot = 5 * 60_000
/** The share of the time since the first measurement from which on it counts as measured all the time. */
const complete = 0.9

/**
 * The load of the last day behind the scale of a service's memory, and in words.
 * @param now epoch milliseconds
 */
export function serviceLoad({ load, error, status }: ServiceLoadResponse, now: number): Load {
  if (load === null) return { text: missingText(error !== null, status) }
  const { low, high, median, p95 } = load
  return {
    band: { low: low / gib, median: median / gib, p95: p95 / gib, high: high / gib },
    text: `${usedText(load)} ${sinceText(load, now)}`,
  }
}

/** "Fullest replica in the last 24 h: 8.1 to 14.2 GiB, median 10.4 GiB, 95th percentile 12.9 GiB." */
function usedText({ low, high, median, p95 }: ServiceLoad): string {
  const format = (bytes: number) => formatShort(bytes, 'bytes')
  const title = 'Memory of the fullest replica in the last 24 h'
  if (format(low) === format(high)) return `${title}: ${format(high)}.`
  return `${title}: ${format(low)} to ${format(high)}, median ${format(median)}, 95th percentile ${format(p95)}.`
}

function sinceText({ since, minutes }: ServiceLoad, now: number): string {
  const passed = Math.min(day, now - since)
  const measured = `Measured since ${formatMoment(since)}`
  // The first slot says nothing about gaps.
  return passed < slot || minutes * 60_000 >= passed * complete
    ? `${measured}.`
    : `${measured}, ${formatLength(minutes * 60_000)} of that time.`
}

/** Deployments report the memory of these only. */
const measuredStates: readonly string[] = ['running', 'degraded', 'partially_running']

function missingText(failed: boolean, status: string | null): string {
  if (failed) return 'No measurements yet: the metrics could not be read.'
  if (status === null) return 'No measurements yet.'
  if (measuredStates.includes(status))
    return 'No measurements: this deployment does not report the memory of its replicas.'
  return `No measurements in the last 24 h: the service is ${stateLabel(status).toLowerCase()}, and deployments report its memory only while it runs.`
}
