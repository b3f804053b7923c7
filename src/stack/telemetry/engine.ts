/** The telemetry engine: ClickHouse, in this process or on a cluster, behind one small interface. */
import { randomUUID } from 'node:crypto'
import type { Params } from './params.ts'
import { Pool } from './pool.ts'
import { EngineAborted, EngineError, translate } from './engineError.ts'
import type { Connection, Driver, EngineConfig, Table } from './engineDriver.ts'
import { openCluster } from './engineCluster.ts'
import { openEmbedded } from './engineEmbedded.ts'

export interface QueryOptions {
  /** Values of the `{name:Type}` placeholders in the SQL. */
  params?: Params
  /** Stops the query in the engine. The promise is rejected with EngineAborted at once. */
  signal?: AbortSignal
  /** Time limit in the engine. Default 30. */
  maxSeconds?: number
}

export interface LoadOptions extends Pick<QueryOptions, 'params' | 'signal'> {
  /** Words that the engine's list of statements shows beside it, as its `log_comment`. They are of this statement alone. */
  mark?: string
}

export interface Engine {
  kind: 'embedded' | 'cluster'
  /** The database that holds the telemetry tables. */
  database: string
  /** Rows as objects. 64-bit integers are text, NaN and infinities are null. Rejects with EngineError. */
  query<Row>(sql: string, options?: QueryOptions): Promise<Row[]>
  /** Resolves once the rows are on disk. All rows are stored, or none. */
  insert(table: string, rows: readonly object[]): Promise<void>
  /** A statement without an answer, such as DDL. */
  command(sql: string, options?: Pick<QueryOptions, 'params'>): Promise<void>
  /**
   * A statement that may take long, such as an INSERT … SELECT, on a connection of its own. When the signal fires it is
   * stopped, and the promise is rejected with EngineAborted only after the engine is done with it.
   */
  load(sql: string, options?: LoadOptions): Promise<void>
  /** Refuses new work, waits for what runs, and lets go of the data directory. */
  close(): Promise<void>
}

const defaultMaxSeconds = 30
/** How often a query that is to end is looked for: it may not have reached the engine yet. */
const killEveryMs = 50

/** Opens the engine that the configuration asks for. Throws EngineMissing when the embedded one is not installed, else EngineError. */
export async function openEngine(config: EngineConfig): Promise<Engine> {
  const driver = await (config.url ? openCluster(config.url, config) : openEmbedded(config))
  return engineOver(driver)
}

function engineOver(driver: Driver): Engine {
  const queries = new Pool(driver.queries)
  const inserts = new Pool(driver.inserts)
  let loads: Pool<Connection> | undefined
  const running = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined

  /** Runs work on a free connection, which serves the next only after the engine is done with it. */
  async function on<T>(pool: Pool<Connection>, work: (connection: Connection) => Promise<T>, signal?: AbortSignal) {
    if (closed) throw new EngineError(0, 'CLOSED', 'the telemetry engine is closed')
    const connection = await pool.acquire(signal).catch(() => {
      throw new EngineAborted()
    })
    const task = work(connection).finally(() => {
      pool.release(connection)
      running.delete(task)
    })
    running.add(task)
    return task.catch((error: unknown) => {
      throw translate(error)
    })
  }

  /** An abandoned query goes on in the engine unless it is told to stop there. */
  async function kill(marker: string, isOver: () => boolean): Promise<void> {
    // Not by its text: the engine forgets the comments of a statement with parameters.
    const sql = "KILL QUERY WHERE Settings['log_comment'] = {marker:String} ASYNC"
    while (!isOver()) {
      await driver.control.command(sql, { marker }).catch(() => undefined)
      await new Promise((wake) => setTimeout(wake, killEveryMs))
    }
  }

  /** Runs a statement that the signal stops in the engine. Settles once the engine is done with it. */
  async function stoppable<T>(
    pool: Pool<Connection>,
    signal: AbortSignal | undefined,
    run: (connection: Connection, mark: string) => Promise<T>,
    marker: string = randomUUID(),
  ): Promise<T> {
    if (!signal) return on(pool, (connection) => run(connection, marker))
    let over = false
    const stop = () => void kill(marker, () => over)
    const work = async (connection: Connection) => {
      if (signal.aborted) throw new EngineAborted()
      signal.addEventListener('abort', stop, { once: true })
      return run(connection, marker).finally(() => (over = true))
    }
    try {
      return await on(pool, work, signal)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  async function query<Row>(sql: string, options: QueryOptions = {}): Promise<Row[]> {
    const { params = {}, signal, maxSeconds = defaultMaxSeconds } = options
    const answer = stoppable(queries, signal, (connection, mark) => connection.query(sql, params, maxSeconds, mark))
    return toRows<Row>(await untilAborted(answer, signal))
  }

  function load(sql: string, { params = {}, signal, mark }: LoadOptions = {}): Promise<void> {
    loads ??= new Pool(driver.openLoads())
    return stoppable(loads, signal, (connection, marker) => connection.command(sql, params, marker), mark)
  }

  return {
    kind: driver.kind,
    database: driver.database,
    query,
    load,
    insert: (table, rows) =>
      rows.length === 0 ? Promise.resolve() : on(inserts, (connection) => connection.insert(table, rows)),
    command: (sql, { params = {} } = {}) => on(queries, (connection) => connection.command(sql, params)),
    close: () => (closed ??= Promise.allSettled(running).then(() => driver.close())),
  }
}

/** Rejects as soon as the signal fires, whatever is still to be cleared up. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const leave = () => reject(new EngineAborted())
    signal.addEventListener('abort', leave, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

function toRows<Row>({ names, rows }: Table): Row[] {
  // The caller names the row that its own SELECT makes.
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])) as Row)
}
