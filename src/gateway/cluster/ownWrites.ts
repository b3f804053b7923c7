/**
 * The writes of one console to what it owns on a database. A console that stalled may have been taken for ended, and what
 * it owned was taken over: from then on, it writes nothing more.
 */
import type { Row, Statements, Value } from '#node/database/statements.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database, Statement } from '../database/database.ts'

/** SQL condition: whether the console that owns the row has ended. */
export const ownerHasEnded = '(owner IS NULL OR owner NOT IN (SELECT id FROM consoles))'

export class OwnWrites {
  readonly database: Database
  readonly owner: string | null

  /** @param owner the ID of this console; null for a command, which owns nothing */
  constructor(database: Database, owner: string | null = null) {
    this.database = database
    this.owner = owner
  }

  get damaged(): Database['damaged'] {
    return this.database.damaged
  }

  readonly rows: Database['rows'] = (sql, args) => this.database.rows(sql, args)

  /** Like `Database.transact`. @throws unavailable if another console has taken the place of this one */
  transact<T>(work: (transaction: Statements) => Promise<T>): Promise<T> {
    return this.database.transact(async (transaction) => {
      await this.#refuseIfReplaced(transaction)
      return work(transaction)
    })
  }

  /** Like `Database.write`. @throws unavailable like `transact` */
  write(...statements: readonly Statement[]): Promise<void> {
    // A file has no other console, and one batch is cheaper than a transaction.
    if (!this.#isFenced) return this.database.write(...statements)
    return this.transact(async ({ run }) => {
      for (const { sql, args } of statements) await run(sql, args)
    })
  }

  /** Like `Database.rows`, for a statement that writes. @throws unavailable like `transact` */
  returned(sql: string, args: readonly Value[]): Promise<Row[]> {
    return this.#isFenced ? this.transact(({ rows }) => rows(sql, args)) : this.database.rows(sql, args)
  }

  get #isFenced(): boolean {
    return this.database.isShared && this.owner !== null
  }

  /** Consoles are removed in transactions too, so that the answer holds until this one ends. */
  async #refuseIfReplaced({ rows }: Statements): Promise<void> {
    if (!this.#isFenced) return
    if ((await rows('SELECT 1 FROM consoles WHERE id = ?', [this.owner])).length === 0) throw consoleReplacedError()
  }
}

/** The error of everything that a console may not do any more. */
export function consoleReplacedError() {
  return failure(
    'unavailable',
    'Another console has taken the place of this one: it did not respond for a while, or a newer version uses the database.',
  )
}
