/** The engine on a server or cluster of its own, over HTTP. */
import { createClient, type ClickHouseClient } from '@clickhouse/client'
import { clientConnection } from './engineClient.ts'
import type { Driver, EngineConfig } from './engine.ts'

/** A moment more than the engine's own time limit, which answers with the better message. */
const requestTimeoutMs = 90_000
/** For statements that copy a lot: the server sends headers meanwhile, so that nothing in between gives up. */
const loadTimeoutMs = 6 * 3_600_000
const loadConnections = 4

/** Opens no connection yet: the first statement does. */
export function openCluster(url: string, { connections = 8, insertConnections = 4 }: EngineConfig): Driver {
  const client = createClient({
    url,
    max_open_connections: connections + insertConnections + 1,
    request_timeout: requestTimeoutMs,
    application: 'stack-console',
  })
  const manner: Parameters<typeof clientConnection>[1] = {
    limits: {},
    bind: (query, params) => ({ query, query_params: { ...params } }),
  }
  const connection = clientConnection(client, manner)
  let loads: ClickHouseClient | undefined
  return {
    kind: 'cluster',
    queries: Array.from({ length: connections }, () => connection),
    inserts: Array.from({ length: insertConnections }, () => connection),
    control: connection,
    openLoads: () => {
      loads = createClient({
        url,
        max_open_connections: loadConnections,
        request_timeout: loadTimeoutMs,
        application: 'stack-console',
        clickhouse_settings: { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '20000' },
      })
      const slow = clientConnection(loads, manner)
      return Array.from({ length: loadConnections }, () => slow)
    },
    close: async () => {
      await loads?.close()
      await client.close()
    },
  }
}
