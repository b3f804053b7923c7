/** The engine on a ClickHouse server, a service of ClickHouse Cloud or a cluster, over HTTP. */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client'
import { clientConnection } from './engineClient.ts'
import { columnList } from './engineInsert.ts'
import type { NativeBlock } from '../native/nativeBlock.ts'
import type { Dialect } from './dialect.ts'
import type { Driver, EngineConfig, SentRows } from './engineDriver.ts'
import { EngineError, translate } from './engineError.ts'
import { textLiteral, type Params } from './params.ts'

/** More than the engine's own time limit, whose error message is better. */
const requestTimeoutMs = 90_000
/** For long statements. The server sends headers meanwhile, so that proxies do not time out. */
const loadTimeoutMs = 6 * 3_600_000
const loadConnections = 4
/** The first version with all settings and statements that are used; `session_timezone` is the newest. */
const oldestVersion = [23, 8] as const

/** @throws EngineError if the server does not respond, refuses the credentials, is too old, or does not know the cluster */
export async function openRemote(
  url: string,
  { connections = 8, insertConnections = 4, cluster }: EngineConfig,
): Promise<Driver> {
  const common = {
    url,
    application: 'stack-console',
    // Errors are logged by the caller. The client's log would contain the statement.
    log: { level: ClickHouseLogLevel.OFF },
  }
  const client = createClient({
    ...common,
    max_open_connections: connections + insertConnections + 1,
    request_timeout: requestTimeoutMs,
  })
  const { database, dialect, engineSettings } = await inspectServer(client, cluster).catch(async (error: unknown) => {
    await client.close()
    throw error
  })
  const options: Parameters<typeof clientConnection>[1] = {
    dialect,
    engineSettings,
    bind: (query, params) => ({ query, query_params: { ...params } }),
    insertBlocks: (table, blocks, settings) => sendBlocks(client, table, blocks, settings),
    sendRows: (rows, statement, params, settings) => sendRows(loads ?? client, rows, statement, params, settings),
  }
  const connection = clientConnection(client, options)
  let loads: ClickHouseClient | undefined
  return {
    dialect,
    database,
    backups: null,
    queries: Array.from({ length: connections }, () => connection),
    inserts: Array.from({ length: insertConnections }, () => connection),
    control: connection,
    openLoads: () => {
      loads = createClient({
        ...common,
        max_open_connections: loadConnections,
        request_timeout: loadTimeoutMs,
        clickhouse_settings: { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '20000' },
      })
      const slow = clientConnection(loads, options)
      return Array.from({ length: loadConnections }, () => slow)
    },
    close: async () => {
      await loads?.close()
      await client.close()
    },
  }
}

async function sendBlocks(
  client: ClickHouseClient,
  table: string,
  blocks: readonly NativeBlock[],
  settings: ClickHouseSettings,
): Promise<void> {
  const query = `INSERT INTO ${table} (${columnList(blocks)}) FORMAT Native`
  const values = Readable.from(blocks.map(({ data }) => data))
  const { stream } = await client.exec({ query, values, clickhouse_settings: settings })
  stream.resume()
  await finished(stream)
}

/** An INSERT whose rows are the body of the request. */
async function sendRows(
  client: ClickHouseClient,
  { structure, lines }: SentRows,
  statement: (source: string) => string,
  params: Params,
  settings: ClickHouseSettings,
): Promise<void> {
  const { stream } = await client.exec({
    query: `${statement(`input(${textLiteral(structure)})`)} FORMAT JSONEachRow`,
    query_params: { ...params },
    values: Readable.from(lines, { objectMode: false }),
    clickhouse_settings: settings,
  })
  stream.resume()
  await finished(stream)
}

/** With it, version 26.7 does not find the columns of a subquery over a Distributed table that is sorted. */
const lazyColumns = 'query_plan_optimize_lazy_materialization'

interface Inspected {
  /** The database of the URL, or the server's default. */
  database: string
  dialect: Dialect
  /** Settings that only this server needs. */
  engineSettings: ClickHouseSettings
}

async function inspectServer(client: ClickHouseClient, cluster: string | undefined): Promise<Inspected> {
  await refuseOldServer(client)
  const read = async <Row>(query: string) => (await client.query({ query, format: 'JSON' })).json<Row>()
  const { data: databases } = await read<{ database: string; engine: string }>(
    'SELECT currentDatabase() AS database, engine FROM system.databases WHERE name = currentDatabase()',
  )
  const { database = '', engine = '' } = databases[0] ?? {}
  const { data: clusters } = await read<{ cluster: string }>(
    'SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster',
  )
  const names = clusters.map((row) => row.cluster)
  if (cluster !== undefined && !names.includes(cluster))
    throw new EngineError(0, 'NO_CLUSTER', noCluster(cluster, names))
  const { data: settings } = await read<{ name: string; value: string }>(
    `SELECT name, value FROM system.settings WHERE name IN ('cloud_mode', '${lazyColumns}')`,
  )
  const setting = (name: string) => settings.find((candidate) => candidate.name === name)?.value
  // Old versions do not have `cloud_mode`. ClickHouse Cloud runs none of them.
  if (setting('cloud_mode') === '1') {
    // ClickHouse Cloud calls the cluster of a service's replicas `default`.
    const own = cluster ?? (names.includes('default') ? 'default' : null)
    return { database, dialect: { kind: 'cloud', cluster: own }, engineSettings: {} }
  }
  if (cluster === undefined) return { database, dialect: { kind: 'server', cluster: null }, engineSettings: {} }
  if (engine === 'Replicated') throw new EngineError(0, 'REPLICATED_DATABASE', replicatedDatabase(database))
  const engineSettings = setting(lazyColumns) === undefined ? {} : { [lazyColumns]: 0 }
  return { database, dialect: { kind: 'cluster', cluster }, engineSettings }
}

function noCluster(cluster: string, names: readonly string[]): string {
  const known = names.length > 0 ? `it has ${names.join(', ')}` : 'it has none'
  return `CLICKHOUSE_CLUSTER: the ClickHouse server knows no cluster ${cluster}: ${known}.`
}

function replicatedDatabase(database: string): string {
  return (
    `CLICKHOUSE_CLUSTER: the database ${database} has the engine Replicated, which takes no ON CLUSTER. ` +
    'Name a database of the engine Atomic in CLICKHOUSE_URL.'
  )
}

async function refuseOldServer(client: ClickHouseClient): Promise<void> {
  const version = await versionOf(client).catch((error: unknown) => {
    const { code, type, message } = asEngineError(error)
    throw new EngineError(code, type, `CLICKHOUSE_URL: ${message}.`, { cause: error })
  })
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = oldestVersion
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  const needed = `the stack needs ${oldestVersion.join('.')} or newer`
  throw new EngineError(0, 'TOO_OLD', `CLICKHOUSE_URL: the ClickHouse server has version ${version}, but ${needed}.`)
}

/** Without settings, which an old server would refuse. */
async function versionOf(client: ClickHouseClient): Promise<string> {
  const answer = await client.query({ query: 'SELECT version() AS version', format: 'JSON' })
  const { data } = await answer.json<{ version: string }>()
  const version = data[0]?.version
  if (version === undefined) throw new TypeError('no version')
  return version
}

function asEngineError(error: unknown): EngineError {
  const translated = translate(error)
  return translated instanceof EngineError ? translated : new EngineError(0, 'UNKNOWN', translated.message)
}
