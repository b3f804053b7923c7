/** The interface of the gateway's databases. Statements must be valid in SQLite and in PostgreSQL. */
import type { DamagedRows } from '#node/database/damagedRows.ts'
import type { RecordDatabase, Statement } from '#node/database/recordDatabase.ts'
import type { Row, Statements, Value } from '#node/database/statements.ts'

export interface Database extends Pick<RecordDatabase, 'isShared' | 'size' | 'close'> {
  /** The damaged rows that were read so far. */
  readonly damaged: DamagedRows
  /** The rows of a query, or those that one statement returns. @throws notStored or unavailable like `write` */
  rows(sql: string, args?: readonly Value[]): Promise<Row[]>
  /**
   * Carries out all statements or none. On the disk when it returns.
   * @throws notStored if the disk is full or read-only, unavailable while the server cannot be reached: nothing was changed;
   * outcomeUnknown if the commit failed in a way that does not tell
   */
  write(...statements: readonly Statement[]): Promise<void>
  /** Like `write`, for statements that depend on what is stored: no other write comes between, of any console. */
  transact<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** Like `transact`, but at the same time as other writes: for statements that lock the rows they need. A crash of the server may lose it. */
  transactConcurrently<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
}
