/** Records on a PostgreSQL server, which several stacks may share. */
import { Client, Pool, types, type PoolClient, type PoolConfig, type QueryResult } from 'pg'
import { postgresMigrations } from './postgresMigrations.ts'
import { serverFailure, unusableAddress } from './postgresError.ts'
import type { Backend, Row, Statements, Value } from './backend.ts'
import { newerVersion, StoreError, unknownOutcome } from './storeError.ts'

/** Milliseconds until a server counts as gone. */
const goneAfter = 10_000

/**
 * Begins a transaction that has the database to itself for writing, as one of the embedded file has. The time limits are
 * the server's part: it gives up what this process does not wait for any more, also where the process is gone without a
 * word. What is acknowledged is on the disk, unless the server was told to be careless in other ways (`fsync`).
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

/** @throws StoreError for an address that cannot be used, and for a server that cannot be reached or refuses */
export async function openPostgres(url: string): Promise<Backend> {
  const pool = new Pool(optionsOf(url))
  // A connection that breaks while nobody uses it is replaced by the pool; one in use fails the statement under way.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await inTransaction(pool, migrate)
  } catch (error) {
    await pool.end()
    throw serverFailure(error)
  }
  return {
    rows: async (sql, args = []) => (await asked(pool.query(numbered(sql), values(args)))).rows,
    transact: (work) => inTransaction(pool, (client) => work(statements(client))),
    // A server reuses its pages by itself, and there was never a version that wrote secrets to one in the clear.
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
  // The modes as PostgreSQL's own clients mean them.
  address.searchParams.set('uselibpqcompat', 'true')
  const options: PoolConfig = {
    connectionString: address.href,
    application_name: 'stack',
    connectionTimeoutMillis: goneAfter,
    query_timeout: goneAfter,
    keepAlive: true,
    types: { getTypeParser: (oid, format) => (isWideNumber(oid) ? Number : types.getTypeParser(oid, format)) },
  }
  try {
    // Reads the certificates that the address names; connects nowhere.
    void new Client(options)
  } catch (error) {
    throw unusableAddress(error)
  }
  return options
}

/** Counts and sums stay far below what a number holds exactly. */
function isWideNumber(oid: number): boolean {
  return oid === bigint || oid === numeric
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await asked(pool.connect())
  try {
    await asked(client.query(begin))
    const result = await work(client)
    await commit(client)
    client.release()
    return result
  } catch (error) {
    await giveUp(client, error)
    throw error
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await asked(client.query('COMMIT')).catch((error: unknown) => {
    throw unknownOutcome(error)
  })
  // This is how a server answers when a statement before it failed.
  if (command !== 'COMMIT')
    throw new StoreError('refused', 'A statement before the commit failed: nothing was changed.')
}

/** A connection that failed is ended, and its transaction with it; any other goes back to the pool. */
async function giveUp(client: PoolClient, error: unknown): Promise<void> {
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
  const execute = (sql: string, args: readonly Value[]) => asked(client.query(numbered(sql), values(args)))
  return {
    rows: async (sql, args = []): Promise<Row[]> => (await execute(sql, args)).rows,
    run: async (sql, args = []) => (await execute(sql, args)).rowCount ?? 0,
  }
}

/** @throws StoreError where the way to the server failed; what it says to a statement stays as it is */
async function asked<R extends QueryResult | PoolClient>(answer: Promise<R>): Promise<R> {
  try {
    return await answer
  } catch (error) {
    throw serverFailure(error)
  }
}

/** `?` as PostgreSQL writes placeholders. The statements have no question mark elsewhere. */
function numbered(sql: string): string {
  let number = 0
  return sql.replaceAll('?', () => `$${++number}`)
}

/** A text of PostgreSQL cannot hold a NUL. Documents spell it as JSON does; elsewhere nothing depends on it. */
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
