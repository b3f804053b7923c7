/** Reads one service, and polls it more often while something is in progress. */
import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { nextPollDelay, changeProgress, usePendingChange } from '#console/shell/pendingChanges/pendingChanges.ts'
import { effectiveService, services, type Service } from '#contract/services.ts'
import { isTransitional } from './serviceLabels.ts'

/** Milliseconds between two polls of services: shorter while a state is changing. */
export const pollInterval = (services: readonly Service[]): number => (services.some(isTransitional) ? 3000 : 30_000)

/** The key of a service in pending changes and in the change log. */
export const serviceKey = (connectionId: string, serviceId: string) => `${connectionId}/service/${serviceId}`

/** The service of the current route. */
export function useService() {
  const connection = useConnection()
  const serviceId = useRouteParam('serviceId')
  const pendingChange = usePendingChange(serviceKey(connection.id, serviceId))
  return useQuery({
    ...q(connection.id, services.get, { params: { serviceId } }),
    refetchInterval: ({ state: { data } }) => {
      const now = Date.now()
      if (pendingChange && data && changeProgress(pendingChange, effectiveService(data), now).state !== 'reached')
        return nextPollDelay(pendingChange, now)
      return pollInterval(data ? [data] : [])
    },
  })
}
