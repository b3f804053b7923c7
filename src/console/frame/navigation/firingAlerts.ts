/** The number of alerts that fire, from the list of alerts that was read last. */
import { queryKey } from '#console/api/queryClient.ts'
import { useCached } from '#console/api/cache/useCached.ts'

/** Undefined until the list of the connection was read, by a page or by `FiringAlertsPoll.tsx`. */
export function useFiringCount(connectionId: string | undefined): number | undefined {
  // Without the contract, which the frame does not load.
  return useCached(queryKey(connectionId ?? '', { resource: 'alerts', verb: 'list' }, {}), countFiring)
}

export function countFiring(list: unknown): number {
  if (!Array.isArray(list)) return 0
  return list.filter(
    (alert: unknown) => typeof alert === 'object' && alert !== null && 'state' in alert && alert.state === 'ALERT',
  ).length
}
