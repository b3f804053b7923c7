/** Values that may be used once: challenges, sign-ins at a provider, sign-out tokens. Only valid ones are noted, so strangers cannot fill the table. */
import { currentTime, wallClock } from '#node/clock/wallClock.ts'
import type { Database } from '../../database/database.ts'
import { hashOfSecret } from './secrets.ts'

export class UsedOnce {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number = currentTime) {
    this.#database = database
    this.#now = now
  }

  /**
   * Uses it up, unless it was used before.
   * @param period milliseconds after which it is not valid in any case
   * @returns whether this is the first use
   */
  async use(kind: string, id: string, period: number): Promise<boolean> {
    await this.#database.write({
      sql: 'DELETE FROM used_once WHERE expires_at <= ?',
      args: [this.#iso(-wallClock.deletionLag())],
    })
    const rows = await this.#database.rows(
      'INSERT INTO used_once (hash, expires_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING RETURNING hash',
      [hashOfSecret(`${kind} ${id}`), this.#iso(period)],
    )
    return rows.length > 0
  }

  #iso(later: number): string {
    return new Date(this.#now() + later).toISOString()
  }
}
