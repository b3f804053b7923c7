/** The memory that the fullest replica of a service used over the last day, as far as the gateway has measured it. */
import { useQuery } from '@tanstack/react-query'
import { recordOffer, useOffer } from '#console/api/offers/offers.ts'
import { send } from '#console/api/send.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { Load } from '#console/ui/form/fields/sliderParts.tsx'
import { fillPath } from '#contract/wire/kernel.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { prometheus } from '#contract/cloud/prometheus.ts'
import type { ServiceLoadResponse } from '#contract/console/sampling/serviceSamples.ts'
import { serviceLoad } from './serviceLoad.ts'

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
