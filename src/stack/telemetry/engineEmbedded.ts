/** The engine inside this process: chdb, under the same client as a cluster. */
import { mkdirSync } from 'node:fs'
import { totalmem } from 'node:os'
import path from 'node:path'
import { createClient, type ClickHouseClient, type ClickHouseClientConfigOptions } from '@clickhouse/client'
import { clientConnection } from './engineClient.ts'
import type { Driver, EngineConfig } from './engine.ts'
import { EngineError, EngineMissing } from './engineError.ts'
import { holderOf, type Holder } from './engineHolder.ts'
import { setParams } from './params.ts'

type ClientConnection = NonNullable<ClickHouseClientConfigOptions['connection']>

const gibibyte = 1024 ** 3
/** Each statement under way holds a thread of the runtime's pool, which has four unless the environment says otherwise. */
const runtimeThreads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)
/** Threads left for stopping a query, and for files and names. */
const threadsKeptFree = 1

/** Throws EngineMissing where chdb has no build, EngineError when another process holds the directory. */
export async function openEmbedded(config: EngineConfig): Promise<Driver> {
  if (!config.dataDir) throw new TypeError('the embedded engine needs a data directory')
  const { createChdbConnection, Session, drainPending } = await loadEngine()
  const directory = path.resolve(config.dataDir, 'engine')
  mkdirSync(directory, { recursive: true })
  // Before the engine finds out, which says so on stderr in its own way.
  const holder = await holderOf(directory)
  if (holder) throw new EngineError(0, 'CANNOT_OPEN', inUse(config.dataDir, holder))
  const maxMemory = config.maxMemory ?? Math.min(Math.max(totalmem() * 0.4, gibibyte), 4 * gibibyte)
  const { queries, inserts } = connectionCounts(config)
  try {
    // The first session of the process decides the engine's own settings; it stays open and runs nothing.
    const first = new Session(directory, { connectionArgs: engineArguments(maxMemory) })
    const clients: ClickHouseClient[] = []
    const connect = () => {
      // Client and engine package each carry a copy of the same connection types.
      const connection = createChdbConnection({ path: directory }) as unknown as ClientConnection
      const client = createClient({ connection })
      clients.push(client)
      return clientConnection(client, {
        limits: { max_memory_usage: String(Math.floor(maxMemory / 2)) },
        bind: (sql, params) => ({ query: setParams(params) + sql }),
        // What a failed query had ready would be handed out before the answer of the next one.
        afterFailure: () => client.command({ query: 'SELECT 1' }),
      })
    }
    return {
      kind: 'embedded',
      queries: Array.from({ length: queries }, connect),
      inserts: Array.from({ length: inserts }, connect),
      control: connect(),
      openLoads: () => Array.from({ length: Math.max(1, Math.floor(runtimeThreads / 4)) }, connect),
      close: async () => {
        await drainPending()
        await Promise.all(clients.map((client) => client.close()))
        first.close()
        await drainPending()
      },
    }
  } catch (cause) {
    throw new EngineError(0, 'CANNOT_OPEN', cannotOpen(directory), { cause })
  }
}

async function loadEngine() {
  try {
    const [{ createChdbConnection }, { Session, drainPending }] = await Promise.all([
      import('chdb/connection'),
      import('chdb'),
    ])
    return { createChdbConnection, Session, drainPending }
  } catch (error) {
    throw new EngineMissing(error)
  }
}

/** Never more statements at once than the runtime has threads: the one that stops another must always find one. */
function connectionCounts({ connections = 4, insertConnections = 2 }: EngineConfig) {
  const most = Math.max(2, runtimeThreads - threadsKeptFree)
  const inserts = Math.min(insertConnections, Math.max(1, Math.floor(most / 3)))
  return { inserts, queries: Math.min(connections, Math.max(1, most - inserts)) }
}

function engineArguments(maxMemory: number): string[] {
  return [
    `--max_server_memory_usage=${Math.floor(maxMemory)}`,
    `--mark_cache_size=${Math.floor(maxMemory / 16)}`,
    `--index_mark_cache_size=${Math.floor(maxMemory / 64)}`,
  ]
}

function inUse(dataDir: string, { pid, parent }: Holder): string {
  const started = parent === undefined ? '' : ` (started by ${parent})`
  return `DATA_DIR ${path.resolve(dataDir)} is in use by process ${pid}${started}: end that, or set DATA_DIR to another folder.`
}

/** The engine says more on stderr, but not to us. */
function cannotOpen(directory: string): string {
  return `the telemetry directory ${directory} cannot be opened: another process uses it, or it cannot be written; end the other, or set DATA_DIR to another folder`
}
