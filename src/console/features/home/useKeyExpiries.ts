import { useQueries } from '@tanstack/react-query'
import { connectionKeyQuery } from '#console/api/gateway/apiKeys.ts'
import { keyExpiry } from '#console/records/apiKeys/keyExpiry.ts'
import { useNow } from '#console/ui/Timestamp.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Troubles } from './troubles.ts'

/** Keys that end soon, in the order of the connections. */
export function useKeyExpiries(connections: readonly Connection[]): Pick<Troubles, 'expiringKey' | 'keyState'>[] {
  const now = useNow()
  const reads = useQueries({
    queries: connections.map(({ id, variant }) => ({ ...connectionKeyQuery(id), enabled: variant === 'managed' })),
  })
  return reads.map(({ data, isError, isLoading }) => ({
    expiringKey: data && keyExpiry(data, now),
    keyState: isError ? 'unknown' : isLoading ? 'pending' : undefined,
  }))
}
