/**
 * A database of records: SQLite in a file of this process, or a PostgreSQL server that several processes share. Statements
 * must be valid in both.
 */
import type { Row, Statements, Value } from './statements.ts'

export interface Statement {
  sql: string
  args?: readonly Value[]
}

/** Failures of the file and of the connection are StoreErrors. Errors of statements are rethrown. */
export interface RecordDatabase {
  /** Whether other processes may use it at the same time. A file has one process. */
  readonly isShared: boolean
  /** The rows of a query, or those that one statement returns. */
  rows(sql: string, args?: readonly Value[]): Promise<Row[]>
  /** Carries out all statements or none. On the disk when it returns. */
  write(statements: readonly Statement[]): Promise<void>
  /** One write transaction at a time, also across processes. On the disk when it returns. */
  transact<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** A write transaction at the same time as others: its statements lock the rows they need. It may be lost if a server crashes. */
  transactConcurrently<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** Bytes that hold data. */
  size(): Promise<number>
  /** Removes overwritten and deleted data from the disk. */
  scrub(): Promise<void>
  close(): Promise<void>
}

/** Whether a statement changes something. */
export const isWrite = (sql: string) => /^\s*(?:INSERT|UPDATE|DELETE)\b/.test(sql)
