/**
 * The connections to the telemetry engine, each of which runs one statement at a time. Work waits for a free one, which
 * others get only after the engine is done with it.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { killPause, killStatement } from './dialect.ts'
import type { Connection, Driver } from './engineDriver.ts'
import { EngineAborted, EngineError, isFatal, translate } from './engineError.ts'
import { Pool } from './pool.ts'

type PoolName = 'queries' | 'inserts' | 'loads'

export class EngineConnections {
  readonly kind: 'embedded' | 'remote'
  readonly #driver: Driver
  readonly #queries: Pool<Connection>
  readonly #inserts: Pool<Connection>
  #loads: Pool<Connection> | undefined
  readonly #running = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined
  #isAlive = true

  constructor(driver: Driver) {
    this.kind = driver.dialect.kind === 'embedded' ? 'embedded' : 'remote'
    this.#driver = driver
    this.#queries = new Pool(driver.queries)
    this.#inserts = new Pool(driver.inserts)
  }

  /** False after an error of the embedded engine after which it refuses every statement. */
  get isAlive(): boolean {
    return this.#isAlive
  }

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  /** Runs work on a free connection. @throws EngineError, and EngineAborted if the signal fires while it waits */
  async run<T>(pool: PoolName, work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#closed) throw new EngineError(0, 'CLOSED', 'the telemetry engine is closed')
    const connections = this.#poolOf(pool)
    const connection = await connections.acquire(signal).catch(() => {
      throw new EngineAborted()
    })
    const task = recovering(connection, work).finally(() => {
      connections.release(connection)
      this.#running.delete(task)
    })
    this.#running.add(task)
    return task.catch((error: unknown) => {
      const translated = translate(error)
      if (this.kind === 'embedded' && isFatal(translated)) this.#isAlive = false
      throw translated
    })
  }

  /** Runs a statement that the signal stops in the engine. Settles once the engine is done with it. */
  stoppable<T>(
    pool: PoolName,
    signal: AbortSignal | undefined,
    start: (connection: Connection, mark: string) => Promise<T>,
    mark: string = randomUUID(),
  ): Promise<T> {
    const work = async (connection: Connection) => {
      if (!signal) return start(connection, mark)
      if (signal.aborted) throw new EngineAborted()
      const over = new AbortController()
      let killing: Promise<void> | undefined
      const stop = () => (killing = this.#kill(mark, over.signal))
      signal.addEventListener('abort', stop, { once: true })
      try {
        return await start(connection, mark)
      } finally {
        signal.removeEventListener('abort', stop)
        over.abort()
        // An embedded connection keeps the mark until its next statement sets another: a late KILL would stop that one.
        if (this.kind === 'embedded') await killing
      }
    }
    return this.run(pool, work, signal)
  }

  /** Runs work on the connection that stops statements, because all others may be in use. @throws EngineError */
  onControl<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return recovering(this.#driver.control, work).catch((error: unknown) => {
      throw translate(error)
    })
  }

  /** Refuses new work, waits for running statements, and releases the data directory. */
  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.#driver.close())
    return this.#closed
  }

  #poolOf(name: PoolName): Pool<Connection> {
    if (name === 'queries') return this.#queries
    if (name === 'inserts') return this.#inserts
    this.#loads ??= new Pool(this.#driver.openLoads())
    return this.#loads
  }

  /** Stops a statement in the engine, where it would otherwise continue. Resolves once no KILL is on its way. */
  async #kill(mark: string, over: AbortSignal): Promise<void> {
    const { dialect, control } = this.#driver
    const sql = killStatement(dialect, 'ASYNC')
    while (!over.aborted) {
      await control.command(sql, { mark }).catch(() => undefined)
      await setTimeout(killPause(dialect), undefined, { signal: over }).catch(() => undefined)
    }
  }
}

/** Runs work on a connection, and makes the connection usable again if the work fails. */
async function recovering<T>(connection: Connection, work: (connection: Connection) => Promise<T>): Promise<T> {
  try {
    return await work(connection)
  } catch (error) {
    await connection.recover?.().catch(() => undefined)
    throw error
  }
}
