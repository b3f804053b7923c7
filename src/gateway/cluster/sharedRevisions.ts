/**
 * How often each thing was changed that consoles on one database hold in memory. One small read, before each request of the
 * API and every second, tells a console what others have changed since.
 */
import type { Database } from '../database/database.ts'

/** Told of the revisions by name, and when they had been read, by `performance.now()`. */
type Follower = (revisions: ReadonlyMap<string, number>, readAt: number) => Promise<void> | void

export class SharedRevisions {
  readonly #followers: Follower[] = []
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Calls a follower after each reading. */
  follow(follower: Follower): void {
    this.#followers.push(follower)
  }

  /**
   * Returns once this console has followed what others had changed when it was called.
   * @throws unavailable if the database cannot be reached
   */
  async refresh(): Promise<void> {
    // A file has one console.
    if (!this.#database.isShared) return
    // A reading that has begun may miss what was stored since, so those who come meanwhile share the one after it.
    this.#next ??= this.#afterThis()
    return this.#next
  }

  async #afterThis(): Promise<void> {
    await this.#reading?.catch(() => {})
    this.#next = undefined
    this.#reading = this.#read()
    return this.#reading
  }

  async #read(): Promise<void> {
    const rows = await this.#database.rows('SELECT name, revision FROM list_revisions')
    const readAt = performance.now()
    const revisions = new Map(rows.map(({ name, revision }) => [String(name), Number(revision)]))
    for (const follower of this.#followers) await follower(revisions, readAt)
  }
}
