/**
 * Divides the engine between those who ask: queries that read rows wait for their turn, and get a share of its threads,
 * memory and priority by what they read. Everything else, such as descriptions of tables, runs as before.
 */
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Engine, QueryOptions } from '../engine/engine.ts'
import type { QueryShare, Table } from '../engine/engineDriver.ts'
import { ProgressBoard, type QueryProgress, type TrackedStatement } from './queryProgress.ts'
import { QueryCosts } from './queryCosts.ts'
import { QueryQueue, type QueryKind, type QueryQueueOptions } from './queryQueue.ts'
import { EngineAborted, untilAborted } from '../engine/engineError.ts'

export interface Asker {
  kind: QueryKind
  /** The key that asks. */
  key: string
  /** One of several who use the key. */
  session?: string | undefined
  /** The name that the asker gave to the request, by which its progress is found. */
  queryId?: string | undefined
}

export interface QuerySchedule {
  /** The engine as this asker uses it. @param through another form of the same engine, which sees the queries */
  engineFor(asker: Asker, through?: Engine): Engine
  /** How far the requests of a key are, as far as they wait or run. */
  progressOf(key: string, queryIds: readonly string[]): Promise<QueryProgress[]>
}

/** Rows that count as one, when the queries of different askers are compared. */
const rowsOfCost = 1_000_000

export function scheduleQueries(engine: Engine, options?: QueryQueueOptions): QuerySchedule {
  const queue = new QueryQueue(options ?? placesOf(engine))
  const costs = new QueryCosts(engine)
  const shared = new SharedQueries<TrackedStatement>()
  const board = new ProgressBoard(engine)

  /** Runs a query when it is its turn. */
  async function inTurn<T>(
    run: (sql: string, options: QueryOptions) => Promise<T>,
    asker: Asker,
    sql: string,
    options: QueryOptions,
    tracked: TrackedStatement,
  ): Promise<T> {
    const { params, signal } = options
    const cost = await costs.of(sql, params)
    tracked.rows = cost.rows
    const turn = await queue.take({
      kind: asker.kind,
      asker: asker.session === undefined ? asker.key : `${asker.key} ${asker.session}`,
      isHeavy: cost.isHeavy,
      cost: 1 + cost.rows / rowsOfCost,
      signal,
    })
    const begun = performance.now()
    try {
      tracked.state = 'running'
      const share = shareOf(cost.isHeavy, turn.isAlone)
      const result = await run(sql, { ...options, mark: tracked.mark, share })
      costs.learn(sql, params, cost, performance.now() - begun)
      return result
    } finally {
      tracked.state = 'done'
      turn.leave()
    }
  }

  async function query<Row>(through: Engine, asker: Asker, sql: string, options: QueryOptions = {}): Promise<Row[]> {
    if (!options.scans) return through.query<Row>(sql, options)
    // Alerts count what is stored when they run.
    if (asker.kind === 'alert') return inTurn(through.query<Row>, asker, sql, options, newStatement())
    return shared.run<Row>(sameQuery(sql, options), options.signal, {
      start: (tracked, signal) => inTurn(through.query<Row>, asker, sql, { ...options, signal }, tracked),
      follow: (tracked) => follow(asker, tracked),
      newStatement,
    })
  }

  /** Never shared: who repeats a statement wants it to run again. */
  async function queryTable(through: Engine, asker: Asker, sql: string, options: QueryOptions = {}): Promise<Table> {
    if (!options.scans) return through.queryTable(sql, options)
    const tracked = newStatement()
    const unfollow = follow(asker, tracked)
    try {
      return await inTurn(through.queryTable, asker, sql, options, tracked)
    } finally {
      unfollow?.()
    }
  }

  function follow({ key, queryId }: Asker, tracked: TrackedStatement): (() => void) | undefined {
    return queryId === undefined ? undefined : board.add(nameOf(key, queryId), tracked)
  }

  return {
    engineFor: (asker, through = engine) => ({
      ...through,
      query: (sql, options) => query(through, asker, sql, options),
      queryTable: (sql, options) => queryTable(through, asker, sql, options),
    }),
    progressOf: (key, queryIds) => board.of(queryIds, (id) => nameOf(key, id)),
  }
}

/** Equal for the same query. Times in nanoseconds and IDs of time series are integers that JSON has no room for. */
const sameQuery = (sql: string, { params, maxSeconds }: QueryOptions): string =>
  JSON.stringify([sql, params, maxSeconds], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))

const nameOf = (key: string, queryId: string) => JSON.stringify([key, queryId])

const newStatement = (): TrackedStatement => ({ mark: randomUUID(), rows: 0, state: 'waiting' })

/** One connection stays free for alerts, and one for descriptions of tables, if there are enough of them. */
function placesOf({ queryConnections }: Engine): QueryQueueOptions {
  const places = Math.max(Math.min(queryConnections, 2), queryConnections - 2)
  return { places, heavyPlaces: Math.max(1, Math.floor(places / 2)) }
}

/** A heavy query has the whole machine while it is alone, and otherwise gives way to light ones. */
function shareOf(isHeavy: boolean, isAlone: boolean): QueryShare {
  if (!isHeavy) return { priority: 1, memory: 1 / 2 }
  if (isAlone) return { priority: 2, memory: 1 / 2 }
  return { priority: 2, memory: 1 / 4, threads: Math.max(1, Math.floor(availableParallelism() / 2)) }
}

interface SharedQuery<T> {
  tracked: T
  rows: Promise<readonly unknown[]>
  callers: number
  stop: AbortController
}

interface SharedRun<Row, T> {
  /** Creates what is known of the query while it runs. */
  newStatement(): T
  /** Runs the query until the signal fires. */
  start(tracked: T, signal: AbortSignal): Promise<Row[]>
  /** Called for every caller. What it returns is called when the caller has the result, or has left. */
  follow(tracked: T): (() => void) | undefined
}

/** A query that several ask for at the same time runs once, as long as one of them waits for it. */
class SharedQueries<T> {
  readonly #running = new Map<string, SharedQuery<T>>()

  /** @param key equal for queries with the same result */
  async run<Row>(key: string, signal: AbortSignal | undefined, work: SharedRun<Row, T>): Promise<Row[]> {
    if (signal?.aborted) throw new EngineAborted()
    const known = this.#running.get(key)
    const shared = known ?? this.#start(key, work)
    shared.callers++
    const unfollow = work.follow(shared.tracked)
    try {
      const rows = await untilAborted(shared.rows, signal)
      // The key contains the statement, which decides the type of the rows. Each caller may change its own.
      return (known ? rows.map((row) => ({ ...(row as object) })) : rows) as Row[]
    } finally {
      unfollow?.()
      shared.callers--
      if (shared.callers === 0) {
        this.#remove(key, shared)
        shared.stop.abort()
      }
    }
  }

  #start<Row>(key: string, { newStatement, start }: SharedRun<Row, T>): SharedQuery<T> {
    const stop = new AbortController()
    const tracked = newStatement()
    const shared = { tracked, rows: start(tracked, stop.signal), callers: 0, stop }
    this.#running.set(key, shared)
    const remove = () => this.#remove(key, shared)
    shared.rows.then(remove, remove)
    return shared
  }

  #remove(key: string, shared: SharedQuery<T>): void {
    if (this.#running.get(key) === shared) this.#running.delete(key)
  }
}
