/** The number of alerts that fire, from the list of alerts that was read last. */
import { useQuery } from '@tanstack/react-query'
import { queryKey } from '#console/api/queryClient.ts'

/** Undefined until the list of the connection was read, by a page or by `FiringAlertsPoll.tsx`. */
export function useFiringCount(connectionId: string | undefined): number | undefined {
  const { data } = useQuery({
    // Without the contract, which the frame does not load.
    queryKey: queryKey(connectionId ?? '', { resource: 'alerts', verb: 'list' }, {}),
    enabled: false,
    select: countFiring,
  })
  return data
}

export function countFiring(list: unknown): number {
  if (!Array.isArray(list)) return 0
  return list.filter(
    (one: unknown) => typeof one === 'object' && one !== null && 'state' in one && one.state === 'ALERT',
  ).length
}
