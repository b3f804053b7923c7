/** A query that several ask for at the same time runs once, as long as one of them waits for it. */
import { EngineAborted, untilAborted } from '../engine/engineError.ts'

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

export class SharedQueries<T> {
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
