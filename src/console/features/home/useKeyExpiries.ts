import { useQueries } from '@tanstack/react-query'
import { connectionKeyQuery } from '#console/api/gateway/apiKeys.ts'
import { keyExpiry, type KeyExpiry } from '#console/shell/apiKeys/keyExpiry.ts'
import { useNow } from '#console/ui/Timestamp.tsx'
import type { Connection } from '#contract/connections.ts'

/** Keys that end soon, in the order of the connections. */
export function useKeyExpiries(connections: readonly Connection[]): (KeyExpiry | undefined)[] {
  const now = useNow()
  const reads = useQueries({
    queries: connections.map(({ id, variant }) => ({ ...connectionKeyQuery(id), enabled: variant === 'managed' })),
  })
  return reads.map(({ data }) => data && keyExpiry(data, now))
}
