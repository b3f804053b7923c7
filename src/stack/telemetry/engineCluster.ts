/** The engine on a server or cluster of its own, over HTTP. */
import { createClient } from '@clickhouse/client'
import { clientConnection } from './engineClient.ts'
import type { Driver, EngineConfig } from './engine.ts'

/** A moment more than the engine's own time limit, which answers with the better message. */
const requestTimeoutMs = 90_000

/** Opens no connection yet: the first statement does. */
export function openCluster(url: string, { connections = 8, insertConnections = 4 }: EngineConfig): Driver {
  const client = createClient({
    url,
    max_open_connections: connections + insertConnections + 1,
    request_timeout: requestTimeoutMs,
    application: 'stack-console',
  })
  const connection = clientConnection(client, {
    limits: {},
    bind: (query, params) => ({ query, query_params: { ...params } }),
  })
  return {
    kind: 'cluster',
    queries: Array.from({ length: connections }, () => connection),
    inserts: Array.from({ length: insertConnections }, () => connection),
    control: connection,
    close: () => client.close(),
  }
}
