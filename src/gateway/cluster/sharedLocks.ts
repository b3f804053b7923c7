/**
 * Locks of records that consoles on one database share. Within a console they are in memory, first come, first served.
 * Between consoles, a row names the holder, and whoever waits looks again after a moment. A console that has ended holds
 * none; one that only stood still sends nothing more, by `Presence.refuseIfReplaced`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { failure } from '#node/upstream/apiFailure.ts'
import { RecordLocks } from '#node/concurrency/concurrencyLimits.ts'
import type { Database } from '../database/database.ts'

/** Milliseconds between two checks at the lock of another console. */
const pollInterval = 50
/** Milliseconds to wait for another console: longer than the deadlines of a write. */
const defaultMaxWait = 60_000

interface LocksDependencies {
  database: Database
  /** The ID of this console in `consoles`. */
  owner: string
  onError: (error: unknown) => void
  /** For specs. */
  maxWait?: number
}

export class SharedLocks {
  readonly #own = new RecordLocks()
  /** Locks whose release could not be stored. */
  readonly #unreleased = new Set<string>()
  readonly #dependencies: LocksDependencies

  constructor(dependencies: LocksDependencies) {
    this.#dependencies = dependencies
  }

  /** @throws blocked if another console holds the lock for a minute, unavailable if the database cannot be reached */
  hold<T>(name: string, task: () => Promise<T>): Promise<T> {
    // A file has one console.
    if (!this.#dependencies.database.isShared) return this.#own.hold(name, task)
    return this.#own.hold(name, async () => {
      await this.#claim(name)
      try {
        return await task()
      } finally {
        await this.#release(name)
      }
    })
  }

  /** Releases what could not be released, so that other consoles do not wait for it. */
  async releaseRest(): Promise<void> {
    for (const name of this.#unreleased) {
      await this.#own.hold(name, () => (this.#unreleased.has(name) ? this.#release(name) : Promise.resolve()))
    }
  }

  async #claim(name: string): Promise<void> {
    const until = performance.now() + (this.#dependencies.maxWait ?? defaultMaxWait)
    while (!(await this.#take(name))) {
      if (performance.now() > until) {
        throw failure('blocked', 'Another console is still writing this record. Nothing was sent.')
      }
      await sleep(pollInterval * (0.5 + Math.random()))
    }
    this.#unreleased.delete(name)
  }

  /** One statement, so that of several consoles one takes it. A row of this console is one that it could not release. */
  #take(name: string): Promise<boolean> {
    const { database, owner } = this.#dependencies
    return database.transactConcurrently(async ({ run }) => {
      const taken = await run(
        `INSERT INTO record_locks (name, owner) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET owner = excluded.owner
          WHERE record_locks.owner = excluded.owner OR record_locks.owner NOT IN (SELECT id FROM consoles)`,
        [name, owner],
      )
      return taken > 0
    })
  }

  async #release(name: string): Promise<void> {
    const { database, owner, onError } = this.#dependencies
    try {
      await database.transactConcurrently(({ run }) =>
        run('DELETE FROM record_locks WHERE name = ? AND owner = ?', [name, owner]),
      )
      this.#unreleased.delete(name)
    } catch (error) {
      // Work that was done under the lock stays done.
      this.#unreleased.add(name)
      onError(error)
    }
  }
}
