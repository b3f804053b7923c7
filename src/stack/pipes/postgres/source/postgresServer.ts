/**
 * The PostgreSQL server of a pipe. Its host is resolved and checked once, and connections go to that address. All values are
 * read as texts, in forms that do not depend on the settings of the server or the user.
 */
import { isIP } from 'node:net'
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { PipeDocument } from '../../model/pipeDocument.ts'
import { firstAddress, refuseHost, type HostCheck } from '../../../net/reachableHosts.ts'

type TextRow = Record<string, string | null>

const connectMs = 15_000
/** Connections besides those that copy ranges. */
const otherConnections = 4
/** Rows of the first portion, before their size is known. */
const firstPortion = 100
const largestPortion = 10_000
const portionBytes = 4 * 2 ** 20

const session =
  "SET timezone = 'UTC'; SET datestyle = 'ISO, MDY'; SET intervalstyle = 'postgres'; SET extra_float_digits = 3; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"

/** The addresses of the server, none if its name cannot be resolved. @throws Refusal 400 for a host that is not allowed */
export function allowedAddresses(pipe: PipeDocument, checkHost: HostCheck): Promise<readonly string[]> {
  return refuseHost('source.postgres.host', pipe.source?.postgres?.host ?? '', checkHost)
}

/** The address that connections go to. @throws Error for a name that cannot be resolved, and like `allowedAddresses` */
export async function checkedAddress(pipe: PipeDocument, checkHost: HostCheck): Promise<string> {
  const address = firstAddress(await allowedAddresses(pipe, checkHost))
  if (address !== undefined) return address
  throw new Error(`${pipe.source?.postgres?.host} was not reached: its name cannot be resolved`)
}

/** Connects with the first request. Requests throw an Error that says why the server was not reached or what it answered. @throws like `checkedAddress` */
export async function openPostgres(pipe: PipeDocument, checkHost: HostCheck): Promise<PostgresServer> {
  const { host, port, database, disableTls, settings } = pipe.source?.postgres ?? {}
  const address = await checkedAddress(pipe, checkHost)
  // Validated when the pipe was created.
  const credentials = pipe.internal.secrets?.['credentials'] as { username: string; password: string } | undefined
  const { initialLoadParallelism, snapshotNumberOfParallelTables } = settings ?? {}
  return new PostgresServer(`${host}:${port ?? 5432}`, {
    host: address,
    port: port ?? 5432,
    database: database ?? '',
    user: credentials?.username ?? '',
    password: credentials?.password ?? '',
    max: (initialLoadParallelism ?? 4) * (snapshotNumberOfParallelTables ?? 1) + otherConnections,
    ssl: disableTls ? false : { rejectUnauthorized: false, ...(host && !isIP(host) && { servername: host }) },
  })
}

/** A server with a pool of connections, which opens with the first request. */
export class PostgresServer {
  readonly #name: string
  readonly #config: PoolConfig
  #pool: Promise<Pool> | undefined
  /** The connections that have the settings of the session. */
  readonly #prepared = new WeakSet<PoolClient>()

  /** @param name of the server, for people */
  constructor(name: string, config: PoolConfig) {
    this.#name = name
    this.#config = config
  }

  /** Runs one statement. The signal cancels it on the server. */
  async query<Row extends TextRow>(sql: string, params: readonly string[] = [], signal?: AbortSignal): Promise<Row[]> {
    const { client, give } = await this.#take(signal)
    try {
      const { rows } = await client.query(sql, [...params])
      give()
      // The caller knows the columns of the statement, and every value is a text.
      return rows as never
    } catch (error) {
      give(error)
      signal?.throwIfAborted()
      throw error
    }
  }

  /**
   * The rows of a SELECT in portions, of one state of the database.
   * @param bytesOf the size of a row: portions have a few megabytes
   */
  async *stream<Row extends TextRow>(
    select: string,
    bytesOf: (row: Row) => number,
    signal: AbortSignal,
  ): AsyncGenerator<Row[], void> {
    const { client, give } = await this.#take(signal)
    let end: unknown = new Error('the rows were not read to their end')
    try {
      await client.query('BEGIN READ ONLY')
      await client.query(`DECLARE portions NO SCROLL CURSOR FOR ${select}`)
      for (let count = firstPortion; ;) {
        // The caller knows the columns of the statement, and every value is a text.
        const { rows } = (await client.query(`FETCH ${count} FROM portions`)) as unknown as { rows: Row[] }
        if (rows.length > 0) yield rows
        signal.throwIfAborted()
        if (rows.length < count) break
        const mean = rows.reduce((sum, row) => sum + bytesOf(row), 0) / rows.length
        count = Math.max(1, Math.min(largestPortion, count * 4, Math.floor(portionBytes / Math.max(1, mean))))
      }
      await client.query('COMMIT')
      end = undefined
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      // In a transaction that failed, it is of no use to others.
      give(end)
    }
  }

  async close(): Promise<void> {
    await (await this.#pool?.catch(() => undefined))?.end()
  }

  /**
   * Takes a connection, of which the signal cancels the running statement.
   * @returns what gives it back. It is closed if it failed in another way than by an answer of the server, and if the signal
   * has fired: the server may only cancel what runs on it later
   */
  async #take(signal?: AbortSignal): Promise<{ client: PoolClient; give(error?: unknown): void }> {
    signal?.throwIfAborted()
    const client = await this.#connect()
    if (signal?.aborted) client.release()
    signal?.throwIfAborted()
    // Its number on the server, which the types of the driver leave out.
    const { processID } = client as PoolClient & { processID?: number }
    const cancel = () => void this.#cancelStatement(processID)
    signal?.addEventListener('abort', cancel, { once: true })
    return {
      client,
      give(error) {
        signal?.removeEventListener('abort', cancel)
        client.release(signal?.aborted === true || (error !== undefined && !(error instanceof DatabaseError)))
      },
    }
  }

  async #connect(): Promise<PoolClient> {
    const client = await (this.#pool ??= this.#openPool())
      .then((pool) => pool.connect())
      .catch((error: unknown) => {
        throw connectionError(this.#name, error)
      })
    if (this.#prepared.has(client)) return client
    client.on('error', () => {})
    try {
      await client.query(session)
    } catch (error) {
      client.release(true)
      throw error
    }
    this.#prepared.add(client)
    return client
  }

  /** With TLS, unless the server has none. */
  async #openPool(): Promise<Pool> {
    const pool = poolOf(this.#config)
    try {
      const client = await pool.connect()
      client.release()
      return pool
    } catch (error) {
      await pool.end()
      if (this.#config.ssl && error instanceof Error && /does not support SSL/.test(error.message))
        return poolOf({ ...this.#config, ssl: false })
      this.#pool = undefined
      throw error
    }
  }

  async #cancelStatement(processID: number | undefined): Promise<void> {
    try {
      await (await this.#pool)?.query('SELECT pg_cancel_backend($1)', [processID])
    } catch {
      // The connection is gone, and the statement with it.
    }
  }
}

function poolOf(config: PoolConfig): Pool {
  const pool = new Pool({
    ...config,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'data pipe',
    types: { getTypeParser: () => (text: string) => text },
  })
  // The pool replaces idle connections that break. A connection in use fails its statement.
  pool.on('error', () => {})
  return pool
}

function connectionError(name: string, error: unknown): Error {
  if (!(error instanceof Error)) return new Error(`${name} was not reached`, { cause: error })
  if (error instanceof DatabaseError)
    return new Error(`${name} refused the connection: ${error.message}`, { cause: error })
  const { code = error.message } = error as NodeJS.ErrnoException // errors of sockets have a code
  return new Error(`${name} was not reached (${code})`, { cause: error })
}
