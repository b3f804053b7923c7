/** What the store needs of a database: SQLite in a file, or a PostgreSQL server. */

/** The value of a column. */
export type Value = string | number | null
export type Row = Readonly<Record<string, unknown>>

/** Runs statements with `?` as placeholders. They must be valid in SQLite and in PostgreSQL. */
export interface Statements {
  rows(sql: string, args?: readonly Value[]): Promise<Row[]>
  /** @returns the number of changed rows */
  run(sql: string, args?: readonly Value[]): Promise<number>
}

/** A database with all tables. */
export interface Backend {
  rows: Statements['rows']
  /** One write transaction at a time, also across processes. Failures of the connection are StoreErrors. */
  transact<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** Removes overwritten and deleted data from the disk. */
  scrub(): Promise<void>
  close(): Promise<void>
}
