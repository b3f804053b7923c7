/**
 * Background work of consoles: what each console does, and what one of the consoles of a database does every so often,
 * such as snapshots. A row names the console that does it now and when it was last begun, so that it goes on where it
 * was after a restart, and another console does it if that one ends.
 */
import { currentTime } from '#node/clock/wallClock.ts'
import { ownerHasEnded, type OwnWrites } from './ownWrites.ts'
import type { Presence } from './presence.ts'

interface DutiesDependencies {
  ownWrites: OwnWrites
  onError: (error: unknown) => void
  now?: () => number
}

export class Duties {
  readonly #doing = new Set<string>()
  readonly #dependencies: DutiesDependencies

  constructor(dependencies: DutiesDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Does something if it is due, and no other console does it. The first time, it becomes due after the interval.
   * @param every milliseconds between two beginnings
   * @returns whether it was done
   */
  async perform(name: string, every: number, work: () => Promise<void>): Promise<boolean> {
    const { now = currentTime } = this.#dependencies
    const at = now()
    if (this.#doing.has(name)) return false
    this.#doing.add(name)
    try {
      const last = await this.#lastBegun(name, at)
      // A clock that was set back, or of another machine, does not postpone it for longer than usual.
      if (last === undefined || Math.abs(at - last) < every || !(await this.#claim(name, last))) return false
      await work().finally(() => this.#release(name, at).catch(this.#dependencies.onError))
      return true
    } finally {
      this.#doing.delete(name)
    }
  }

  /** Undefined for the first time. */
  async #lastBegun(name: string, at: number): Promise<number | undefined> {
    const { ownWrites } = this.#dependencies
    const [row] = await ownWrites.database.rows('SELECT begun_at FROM duties WHERE name = ?', [name])
    if (row) return Number(row['begun_at'])
    await ownWrites.write({
      sql: 'INSERT INTO duties (name, begun_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
      args: [name, at],
    })
    return undefined
  }

  /** Not if another console has begun it meanwhile. A row of this console is one that it could not release. */
  async #claim(name: string, last: number): Promise<boolean> {
    const { ownWrites } = this.#dependencies
    const { owner } = ownWrites
    const sql = `UPDATE duties SET owner = ? WHERE name = ? AND begun_at = ? AND (owner = ? OR ${ownerHasEnded})
      RETURNING name`
    return (await ownWrites.returned(sql, [owner, name, last, owner])).length > 0
  }

  async #release(name: string, at: number): Promise<void> {
    const { ownWrites } = this.#dependencies
    await ownWrites.write({
      sql: 'UPDATE duties SET owner = NULL, begun_at = ? WHERE name = ? AND owner = ?',
      args: [at, name, ownWrites.owner],
    })
  }
}

interface PeriodicOptions {
  presence: Pick<Presence, 'isSure'>
  /** Milliseconds between two beginnings. */
  every: number
  work: () => Promise<void>
  onError: (error: unknown) => void
}

/** Background work of a console: never twice at a time, and only while no other console may have taken its place. */
export class Periodic {
  readonly #timer: NodeJS.Timeout
  #working: Promise<void> | null = null
  #isDue = false
  #isClosed = false
  readonly #dependencies: PeriodicOptions

  constructor(dependencies: PeriodicOptions) {
    this.#dependencies = dependencies
    this.#timer = setInterval(() => this.now(), dependencies.every).unref()
  }

  /** Begins at once, or again after what is under way. */
  now(): void {
    this.#isDue = true
    this.#working ??= this.#work().finally(() => (this.#working = null))
  }

  /** Returns once what is under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#working
  }

  async #work(): Promise<void> {
    const { presence, work, onError } = this.#dependencies
    // Later in this turn, so that whoever calls `now` does not wait for its beginning.
    await Promise.resolve()
    while (this.#isDue && !this.#isClosed && presence.isSure) {
      this.#isDue = false
      await work().catch(onError)
    }
  }
}
