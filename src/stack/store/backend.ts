/** What the store needs of a database: SQLite in a file, or a PostgreSQL server. */

import type { Row, Statements, Value } from '#node/database/statements.ts'

export type { Row, Statements, Value }

/** A database with all tables. */
export interface Backend {
  rows: Statements['rows']
  /** One write transaction at a time, also across processes. Failures of the connection are StoreErrors. */
  transact<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** Removes overwritten and deleted data from the disk. */
  scrub(): Promise<void>
  close(): Promise<void>
}
