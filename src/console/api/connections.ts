/** The console's own connections: kept, with their keys, by the gateway. */
import { queryOptions } from '@tanstack/react-query'
import type { Connection } from '#contract/console/connections.ts'
import { gatewayPaths } from '#contract/wire/gatewayWire.ts'
import { send } from './send.ts'

export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: ({ signal }) => send<Connection[]>(gatewayPaths.connections, { signal }),
  staleTime: 30_000,
})
