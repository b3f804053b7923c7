/** A PostgreSQL server as a database with one writer at a time, which several processes may share. */
import { Client, Pool, types, type PoolClient, type PoolConfig, type QueryResult } from 'pg'
import { followDatabaseTime } from './databaseTime.ts'
import { serverSteps, type Migrations } from './migrations.ts'
import { serverFailure, unusableAddress } from './postgresError.ts'
import { isWrite, type RecordDatabase } from './recordDatabase.ts'
import type { Row, Statements, Value } from './statements.ts'
import { newerVersion, StoreError, unknownOutcome } from './storeError.ts'

export interface PostgresOptions {
  url: string
  /** Has the URL; named in errors. */
  variable: string
  product: 'stack' | 'console'
  /** Where the tables are; without it, where the server creates them for this user. */
  schema?: string
  /** The second key of the advisory lock that a write transaction holds. */
  lock: number
  migrations: Migrations
  /** Carried out with new migrations of a database that an earlier version uses, before others see them. */
  afterUpgrade?: string
}

/** Milliseconds until a server counts as unreachable. */
const serverTimeout = 10_000

const limits = `
  SET LOCAL lock_timeout = '8s';
  SET LOCAL statement_timeout = '10s';
  SET LOCAL idle_in_transaction_session_timeout = '30s';`

/** The first key of the advisory locks of this product. */
const lockSpace = 1937006947

/**
 * Begins an exclusive write transaction, as SQLite does. The server enforces the time limits, so that it also ends
 * transactions of a process that disappeared. Acknowledged data is on the disk, unless the server runs with
 * `fsync = off`.
 */
const beginExclusive = (lock: number) => `
  BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;${limits}
  SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
  SELECT pg_advisory_xact_lock(${lockSpace}, ${lock})`

const beginNote = `
  BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;${limits}
  SET LOCAL synchronous_commit = 'off'`

const bigint = 20
const numeric = 1700
const bytea = 17

/**
 * Opens a server. The process takes its time from then on.
 * @throws StoreError for an invalid URL, and for a server that is unreachable or refuses the connection
 */
export async function openPostgres(options: PostgresOptions): Promise<RecordDatabase> {
  const { variable, schema } = options
  const pool = new Pool(configOf(options))
  // The pool replaces idle connections that break. A connection in use fails its statement.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const transactions = new Transactions(pool, variable)
  const begin = beginExclusive(options.lock)
  try {
    await transactions.run(begin, async (_, client) => {
      if (schema !== undefined) await createSchema(client, schema)
      await migrate(client, options)
    })
  } catch (error) {
    await pool.end()
    throw serverFailure(error, variable)
  }
  const rows: Statements['rows'] = async (sql, args = []) =>
    (await transactions.known(pool.query(numbered(sql), values(args)))).rows
  const stopFollowing = await followDatabaseTime(rows).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  const transact: RecordDatabase['transact'] = (work) => transactions.run(begin, work)
  return {
    isShared: true,
    // A write with a condition must see the latest state, so it takes its turn among the writes of all processes.
    rows: (sql, args) => (isWrite(sql) ? transact((transaction) => transaction.rows(sql, args)) : rows(sql, args)),
    write: (statements) =>
      transact(async ({ run }) => {
        for (const { sql, args } of statements) await run(sql, args)
      }),
    transact,
    transactConcurrently: (work) => transactions.run(beginNote, work),
    size: async () => {
      const [row] = await rows(
        `SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0) AS bytes FROM pg_class
          JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = current_schema() AND relkind = 'r'`,
      )
      return Number(row?.['bytes'])
    },
    // PostgreSQL reuses pages by itself.
    scrub: async () => {},
    async close() {
      stopFollowing()
      await pool.end()
    },
  }
}

/**
 * Reads one state of the database, in a transaction that other processes do not wait for, and changes nothing.
 * @throws StoreError like `openPostgres`, and for the tables of another version
 */
export async function readPostgres<T>(
  options: Omit<PostgresOptions, 'lock' | 'afterUpgrade'>,
  work: (snapshot: Pick<Statements, 'rows'>) => Promise<T>,
): Promise<T> {
  const { variable, product, schema } = options
  const latest = serverSteps(options.migrations).length
  const pool = new Pool(configOf(options))
  const transactions = new Transactions(pool, variable)
  try {
    return await transactions.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async ({ rows }) => {
      const table = schema === undefined ? 'migrations' : `${schema}.migrations`
      const [found] = await rows('SELECT to_regclass(?) IS NOT NULL AS there', [table])
      const [row] = found?.['there'] === true ? await rows(`SELECT max(version) AS version FROM ${table}`) : []
      const version = Number(row?.['version'] ?? 0)
      if (version > latest) throw newerVersion(product)
      if (version === latest) return work({ rows })
      const problem = version === 0 ? 'has no records' : 'has records of an earlier version, which a start updates'
      throw new StoreError('refused', `The database of ${variable} ${problem} (of the ${product}).`)
    })
  } finally {
    await pool.end()
  }
}

function configOf({
  url,
  variable,
  product,
  schema,
}: Pick<PostgresOptions, 'url' | 'variable' | 'product' | 'schema'>): PoolConfig {
  const address = new URL(url)
  const mode = address.searchParams.get('sslmode')
  if (mode !== null && !['disable', 'require', 'verify-ca', 'verify-full'].includes(mode)) {
    throw new StoreError('refused', `${variable}: sslmode must be disable, require, verify-ca or verify-full.`)
  }
  // The meaning of the modes is that of PostgreSQL's own clients.
  address.searchParams.set('uselibpqcompat', 'true')
  if (schema !== undefined) {
    const options = address.searchParams.get('options') ?? ''
    address.searchParams.set('options', `${options} -c search_path=${schema}`.trim())
  }
  const options: PoolConfig = {
    connectionString: address.href,
    application_name: product,
    connectionTimeoutMillis: serverTimeout,
    query_timeout: serverTimeout,
    keepAlive: true,
    types: { getTypeParser: (oid, format) => parserOf(oid) ?? types.getTypeParser(oid, format) },
  }
  try {
    // Reads the certificates of the URL without connecting.
    void new Client(options)
  } catch (error) {
    throw unusableAddress(error, variable)
  }
  return options
}

/** Counts and sums are small enough for exact numbers. Bytes are as SQLite returns them. */
function parserOf(oid: number): ((text: string) => unknown) | undefined {
  if (oid === bigint || oid === numeric) return Number
  if (oid === bytea) return (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex')).buffer
  return undefined
}

class Transactions {
  readonly #pool: Pool
  readonly #variable: string

  constructor(pool: Pool, variable: string) {
    this.#pool = pool
    this.#variable = variable
  }

  async run<T>(begin: string, work: (transaction: Statements, client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.known(this.#pool.connect())
    try {
      await this.known(client.query(begin))
      const result = await work(this.#statements(client), client)
      await this.#commit(client)
      client.release()
      return result
    } catch (error) {
      await rollBack(client, error)
      throw error
    }
  }

  /** @throws StoreError if the connection failed. Errors of statements are rethrown */
  async known<R extends QueryResult | PoolClient>(answer: Promise<R>): Promise<R> {
    try {
      return await answer
    } catch (error) {
      throw serverFailure(error, this.#variable)
    }
  }

  async #commit(client: PoolClient): Promise<void> {
    const { command } = await this.known(client.query('COMMIT')).catch((error: unknown) => {
      throw unknownOutcome(error)
    })
    // The server's response if an earlier statement failed.
    if (command !== 'COMMIT')
      throw new StoreError('refused', 'A statement before the commit failed. Nothing was changed.')
  }

  #statements(client: PoolClient): Statements {
    const execute = (sql: string, args: readonly Value[]) => this.known(client.query(numbered(sql), values(args)))
    return {
      rows: async (sql, args = []): Promise<Row[]> => (await execute(sql, args)).rows,
      run: async (sql, args = []) => (await execute(sql, args)).rowCount ?? 0,
    }
  }
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

/** Numbers the placeholders as PostgreSQL needs it. The statements have no other question marks. */
function numbered(sql: string): string {
  let number = 0
  return sql.replaceAll(/\?(\d*)/g, (_, position: string) => `$${position || ++number}`)
}

/** PostgreSQL cannot store a NUL in text. In JSON it is escaped; other texts do not depend on it. */
function values(args: readonly Value[]): Value[] {
  return args.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value))
}

/** `IF NOT EXISTS` needs the right to create schemas, even if this one exists. */
async function createSchema(client: PoolClient, schema: string): Promise<void> {
  const { rows } = await client.query<Row>('SELECT to_regnamespace($1) IS NULL AS missing', [schema])
  if (rows[0]?.['missing'] === true) await client.query(`CREATE SCHEMA ${schema}`)
}

async function migrate(client: PoolClient, { migrations, product, afterUpgrade }: PostgresOptions): Promise<void> {
  const steps = serverSteps(migrations)
  await client.query('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const { rows } = await client.query<Row>('SELECT coalesce(max(version), 0) AS version FROM migrations')
  const applied = Number(rows[0]?.['version'])
  if (applied > steps.length) throw newerVersion(product)
  for (const [index, sql] of steps.entries()) {
    if (index < applied) continue
    await client.query(sql)
    await client.query('INSERT INTO migrations VALUES ($1)', [index + 1])
  }
  if (afterUpgrade !== undefined && applied > 0 && applied < steps.length) await client.query(afterUpgrade)
}
