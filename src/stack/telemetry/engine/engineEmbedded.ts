/** The embedded engine: chdb in this process, with the same client as a cluster. */
import { mkdirSync } from 'node:fs'
import { totalmem } from 'node:os'
import path, { join } from 'node:path'
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import {
  createClient,
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  type ClickHouseSettings,
} from '@clickhouse/client'
import { putDamagedAside, remedy } from '#node/files/dataLoss.ts'
import { clientConnection } from './engineClient.ts'
import { insertFiles, insertFrom, rowsIn } from './engineInsert.ts'
import { embeddedDialect } from './dialect.ts'
import type { Driver, EngineConfig } from './engineDriver.ts'
import { EngineError, EngineMissing } from './engineError.ts'
import { setParams, setSettings } from './params.ts'
import { quoted } from './tableName.ts'
import {
  detachFileLookup,
  prepareTelemetryDatabase,
  telemetryDatabase,
  type RunStatement,
} from './telemetryDatabase.ts'

type ClientConnection = NonNullable<ClickHouseClientConfigOptions['connection']>

const gibibyte = 1024 ** 3
/** Each running statement uses a thread of the runtime's pool, which has four by default. */
const runtimeThreads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)
/** Threads reserved for stopping a query, files and DNS. */
const threadsKeptFree = 1

/** @throws EngineMissing if chdb has no build for this machine, EngineError if another process uses the directory */
export async function openEmbedded(config: EngineConfig): Promise<Driver> {
  if (!config.dataDir) throw new TypeError('the embedded engine needs a data directory')
  const { Session, createChdbConnection, drainPending } = await loadEngine()
  const directory = path.resolve(config.dataDir, 'engine')
  mkdirSync(directory, { recursive: true })
  // Before the engine fails with its own message on stderr.
  const holder = await holderOf(directory)
  if (holder) throw new EngineError(0, 'CANNOT_OPEN', inUse(config.dataDir, holder))
  const backups = config.backups ?? path.resolve(config.dataDir, 'backups')
  mkdirSync(backups, { recursive: true })
  const insertFile = insertFiles(path.resolve(config.dataDir, 'inserts'))
  const maxMemory = config.maxMemory ?? Math.min(Math.max(totalmem() * 0.4, gibibyte), 4 * gibibyte)
  const counts = connectionCounts(config)
  const openFirst = () => new Session(directory, { connectionArgs: engineArguments(maxMemory, backups) })
  const first = openOrPutAside(openFirst, directory, config.acceptDataLoss)
  const clients: ClickHouseClient[] = []
  const close = async () => {
    await drainPending()
    await Promise.all(clients.map((client) => client.close()))
    first.close()
    await drainPending()
  }
  /** A connection keeps the database that it uses. */
  const connect = async () => {
    // Client and engine package each carry a copy of the same connection types.
    const connection = createChdbConnection({ path: directory }) as unknown as ClientConnection
    const client = createClient({ connection: withOneSet(connection) })
    clients.push(client)
    await client.command({ query: `USE ${quoted(telemetryDatabase)}` })
    return clientConnection(client, {
      dialect: embeddedDialect,
      engineSettings: { max_memory_usage: String(Math.floor(maxMemory / 2)), max_threads: 0, priority: '0' },
      memory: maxMemory,
      bind: (sql, params) => ({ query: setParams(params) + sql }),
      insertBlocks: (table, blocks, settings) =>
        insertFile(
          blocks.map(({ data }) => data),
          (file) => client.command({ query: insertFrom(file, table, blocks), clickhouse_settings: settings }),
        ),
      sendRows: ({ lines, structure }, statement, params, settings) =>
        insertFile(lines, (file) =>
          client.command({
            query: setParams(params) + statement(rowsIn(file, structure)),
            clickhouse_settings: settings,
          }),
        ),
      keepsResults: true,
    })
  }
  const run: RunStatement = async (sql) => linesOf(await first.queryAsync(sql, { format: 'JSONCompactStringsEachRow' }))
  try {
    await prepareTelemetryDatabase(run)
    const [queries, inserts, loads, control] = await Promise.all([
      severalOf(counts.queries, connect),
      severalOf(counts.inserts, connect),
      severalOf(counts.loads, connect),
      connect(),
    ])
    await detachFileLookup(run)
    return {
      dialect: embeddedDialect,
      database: telemetryDatabase,
      backups,
      queries,
      inserts,
      control,
      openLoads: () => loads,
      close,
    }
  } catch (cause) {
    await close()
    throw new EngineError(0, 'CANNOT_OPEN', notPrepared(directory), { cause })
  }
}

/**
 * A connection that sends all settings of a statement at once. The package sends each of them as a statement of its own, which
 * takes 1.5 ms of the 4 ms of a small query, and leaves out settings of HTTP requests, which the engine would refuse.
 */
function withOneSet(connection: ClientConnection): ClientConnection {
  const atOnce = <P extends { query: string; clickhouse_settings?: ClickHouseSettings }>(params: P): P => ({
    ...params,
    query: setSettings(params.clickhouse_settings ?? {}) + params.query,
    clickhouse_settings: {},
  })
  return {
    ping: (params) => connection.ping(params),
    query: (params) => connection.query(atOnce(params)),
    insert: (params) => connection.insert(atOnce(params)),
    command: (params) => connection.command(atOnce(params)),
    exec: (params) => connection.exec(atOnce(params)),
    close: () => connection.close(),
  }
}

/** The first session of the process sets the engine's settings. It stays open and is not used for queries. */
function openOrPutAside<T>(open: () => T, directory: string, acceptDataLoss: boolean | undefined): T {
  try {
    return open()
  } catch (cause) {
    if (!acceptDataLoss) throw new EngineError(0, 'CANNOT_OPEN', cannotOpen(directory), { cause })
    putDamagedAside(directory)
    mkdirSync(directory, { recursive: true })
    return openOrPutAside(open, directory, false)
  }
}

function severalOf<T>(count: number, open: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, open))
}

/** Rows of a result, with a JSON array of texts on each line. */
function linesOf(answer: { text(): string }): string[][] {
  const lines = answer.text().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as string[]) // the format says so
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

/** Never more statements than the runtime has threads, so that stopping a statement always finds one. */
function connectionCounts({ connections = 7, insertConnections = 2 }: EngineConfig) {
  const most = Math.max(2, runtimeThreads - threadsKeptFree)
  const inserts = Math.min(insertConnections, Math.max(1, Math.floor(most / 3)))
  const loads = Math.max(1, Math.floor(runtimeThreads / 4))
  return { inserts, queries: Math.min(connections, Math.max(1, most - inserts)), loads }
}

function engineArguments(maxMemory: number, backups: string): string[] {
  return [
    // The engine writes and reads backups below this folder only.
    `--backups.allowed_path=${backups}`,
    `--max_server_memory_usage=${Math.floor(maxMemory)}`,
    `--mark_cache_size=${Math.floor(maxMemory / 16)}`,
    `--index_mark_cache_size=${Math.floor(maxMemory / 64)}`,
    // Two merges at a time. More of them merge the same rows more often, and take the processor from inserts and queries.
    '--background_merges_mutations_concurrency_ratio=1',
    // Idle threads: each holds three descriptors. By default, up to 1,000 stay after a burst of queries.
    '--max_thread_pool_free_size=32',
    // Inserts and queries come first; merges that wait merge more parts at once.
    '--os_threads_nice_value_merge_mutate=5',
  ]
}

function inUse(dataDir: string, { pid, parent }: Holder): string {
  const started = parent === undefined ? '' : ` (started by ${parent})`
  return `DATA_DIR ${path.resolve(dataDir)} is in use by process ${pid}${started}. Stop it, or set DATA_DIR to another folder.`
}

/** The engine's own details are only on its stderr. */
function cannotOpen(directory: string): string {
  const advice = remedy(`to begin without telemetry: the folder is then kept with the ending .damaged`)
  return (
    `The telemetry directory ${directory} cannot be opened. Check that no other process uses it and that it is writable. ` +
    `Otherwise it is damaged, and the lines before this one name the file. ${advice}`
  )
}

function notPrepared(directory: string): string {
  return `The telemetry tables in ${directory} cannot be created. Check that the folder is writable and that the disk has free space`
}

interface Holder {
  pid: number
  /** The process that started it and may start it again; undefined for the system's first. */
  parent: number | undefined
}

/**
 * The other process that has the engine's lock file open, according to the file and to the system's list of open files;
 * undefined if there is none, or if it is unknown (not on Linux, or a process of another user).
 */
async function holderOf(directory: string): Promise<Holder | undefined> {
  try {
    const lock = await realpath(join(directory, 'status'))
    const pid = numberIn(/^PID: (\d+)/m, await readFile(lock, 'utf8'))
    // The id may belong to another process by now. Only the open file is proof.
    if (pid === undefined || pid === process.pid || !(await hasOpen(pid, lock))) return undefined
    const parent = numberIn(/^PPid:\s*(\d+)/m, await readFile(`/proc/${pid}/status`, 'utf8'))
    return { pid, parent: parent !== undefined && parent > 1 ? parent : undefined }
  } catch {
    return undefined
  }
}

async function hasOpen(pid: number, path: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const descriptors = await readdir(folder)
  const targets = await Promise.all(descriptors.map((name) => readlink(join(folder, name)).catch(() => '')))
  return targets.includes(path)
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}
