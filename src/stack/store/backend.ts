/** What the store needs of a database: SQLite in a file, or a PostgreSQL server. */

import type { Row, Statements, Value } from '#node/database/statements.ts'

export type { Row, Statements, Value }

/** A database with all tables. */
export interface Backend {
  /** Other processes may use it. */
  isShared: boolean
  rows: Statements['rows']
  /** One write transaction at a time, also across processes. Failures of the connection are StoreErrors. */
  transact<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** A transaction beside those of `transact`, for rows with locks of their own. It may be lost if the server crashes. */
  note<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** Removes overwritten and deleted data from the disk. */
  scrub(): Promise<void>
  close(): Promise<void>
}
