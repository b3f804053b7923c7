/**
 * Statements that the embedded engine does not stop. It stops between two blocks of rows, and a single function can take hours for
 * one block, such as `hasAll` of two arrays with a million elements. Each of them keeps its connection: when all but one are
 * kept, only a restart of the process helps.
 */

/** Milliseconds that a statement may go on after it was to end. */
const usualPatience = 60_000

interface Running {
  /** When it ends at the latest, if the engine can stop it. */
  due: number
}

export class UnstoppableStatements {
  readonly #running = new Set<Running>()
  readonly #connections: number
  readonly #now: () => number

  /** @param connections how many statements run at a time @param now milliseconds, by a clock that never goes back */
  constructor(connections: number, now: () => number = () => performance.now()) {
    this.#connections = connections
    this.#now = now
  }

  /** Runs a statement that ends when the signal fires, or after its time. */
  async follow<T>(maxSeconds: number, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    const statement: Running = { due: this.#now() + maxSeconds * 1_000 }
    const stop = () => {
      statement.due = Math.min(statement.due, this.#now())
    }
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    this.#running.add(statement)
    try {
      return await run()
    } finally {
      signal?.removeEventListener('abort', stop)
      this.#running.delete(statement)
    }
  }

  /** Whether they keep so many connections that the engine is of no use any more. */
  get areTooMany(): boolean {
    const late = this.#now() - usualPatience
    const kept = [...this.#running].filter(({ due }) => due < late).length
    return kept >= Math.max(Math.min(this.#connections, 2), this.#connections - 1)
  }
}
