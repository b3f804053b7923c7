/** Stores records on a PostgreSQL server, which several stacks may share. */
import { Client, Pool, types, type PoolClient, type PoolConfig, type QueryResult } from 'pg'
import { postgresMigrations } from './postgresMigrations.ts'
import { serverFailure, unusableAddress } from './postgresError.ts'
import type { Backend, Row, Statements, Value } from './backend.ts'
import { newerVersion, StoreError, unknownOutcome } from './storeError.ts'

/** Milliseconds until a server counts as unreachable. */
const serverTimeout = 10_000

/**
 * Begins an exclusive write transaction, as SQLite does. The server enforces the time limits, so that it also ends
 * transactions of a process that disappeared. Acknowledged data is on the disk, unless the server runs with
 * `fsync = off`.
 */
const begin = `
  BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
  SET LOCAL lock_timeout = '8s';
  SET LOCAL statement_timeout = '10s';
  SET LOCAL idle_in_transaction_session_timeout = '30s';
  SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
  SELECT pg_advisory_xact_lock(1937006947, 1)`

const bigint = 20
const numeric = 1700

/** @throws StoreError for an invalid URL, and for a server that is unreachable or refuses the connection */
export async function openPostgres(url: string): Promise<Backend> {
  const pool = new Pool(optionsOf(url))
  // The pool replaces idle connections that break. A connection in use fails its statement.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await inTransaction(pool, migrate)
  } catch (error) {
    await pool.end()
    throw serverFailure(error)
  }
  return {
    rows: async (sql, args = []) => (await withStoreError(pool.query(numbered(sql), values(args)))).rows,
    transact: (work) => inTransaction(pool, (client) => work(statements(client))),
    // PostgreSQL reuses pages by itself, and no version ever wrote unencrypted secrets to a server.
    scrub: async () => {},
    close: () => pool.end(),
  }
}

function optionsOf(url: string): PoolConfig {
  const address = new URL(url)
  const mode = address.searchParams.get('sslmode')
  if (mode !== null && !['disable', 'require', 'verify-ca', 'verify-full'].includes(mode)) {
    throw new StoreError('refused', 'DATABASE_URL: sslmode must be disable, require, verify-ca or verify-full.')
  }
  // The meaning of the modes is that of PostgreSQL's own clients.
  address.searchParams.set('uselibpqcompat', 'true')
  const options: PoolConfig = {
    connectionString: address.href,
    application_name: 'stack',
    connectionTimeoutMillis: serverTimeout,
    query_timeout: serverTimeout,
    keepAlive: true,
    types: { getTypeParser: (oid, format) => (isWideNumber(oid) ? Number : types.getTypeParser(oid, format)) },
  }
  try {
    // Reads the certificates of the URL without connecting.
    void new Client(options)
  } catch (error) {
    throw unusableAddress(error)
  }
  return options
}

/** Counts and sums are small enough for exact numbers. */
function isWideNumber(oid: number): boolean {
  return oid === bigint || oid === numeric
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await withStoreError(pool.connect())
  try {
    await withStoreError(client.query(begin))
    const result = await work(client)
    await commit(client)
    client.release()
    return result
  } catch (error) {
    await rollBack(client, error)
    throw error
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await withStoreError(client.query('COMMIT')).catch((error: unknown) => {
    throw unknownOutcome(error)
  })
  // The server's response if an earlier statement failed.
  if (command !== 'COMMIT')
    throw new StoreError('refused', 'A statement before the commit failed. Nothing was changed.')
}

/** Closes a failed connection, which ends its transaction. Others return to the pool. */
async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  if (error instanceof StoreError) {
    client.release(true)
    return
  }
  await client.query('ROLLBACK').then(
    () => client.release(),
    () => client.release(true),
  )
}

function statements(client: PoolClient): Statements {
  const execute = (sql: string, args: readonly Value[]) => withStoreError(client.query(numbered(sql), values(args)))
  return {
    rows: async (sql, args = []): Promise<Row[]> => (await execute(sql, args)).rows,
    run: async (sql, args = []) => (await execute(sql, args)).rowCount ?? 0,
  }
}

/** @throws StoreError if the connection failed. Errors of statements are rethrown */
async function withStoreError<R extends QueryResult | PoolClient>(answer: Promise<R>): Promise<R> {
  try {
    return await answer
  } catch (error) {
    throw serverFailure(error)
  }
}

/** Numbers the placeholders as PostgreSQL needs it. The statements have no other question marks. */
function numbered(sql: string): string {
  let number = 0
  return sql.replaceAll('?', () => `$${++number}`)
}

/** PostgreSQL cannot store a NUL in text. In JSON it is escaped; other texts do not depend on it. */
function values(args: readonly Value[]): Value[] {
  return args.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value))
}

async function migrate(client: PoolClient): Promise<void> {
  await client.query('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const { rows } = await client.query<Row>('SELECT coalesce(max(version), 0) AS version FROM migrations')
  const applied = Number(rows[0]?.['version'])
  if (applied > postgresMigrations.length) throw newerVersion()
  for (const [index, sql] of postgresMigrations.entries()) {
    if (index < applied) continue
    await client.query(sql)
    await client.query('INSERT INTO migrations VALUES ($1)', [index + 1])
  }
}
