/** What the store needs of a database: SQLite in a file, or a PostgreSQL server. */

/** What a column may hold. */
export type Value = string | number | null
export type Row = Readonly<Record<string, unknown>>

/** Runs statements, whose placeholders are `?`. They are written so that SQLite and PostgreSQL read them alike. */
export interface Statements {
  rows(sql: string, args?: readonly Value[]): Promise<Row[]>
  /** @returns how many rows were changed */
  run(sql: string, args?: readonly Value[]): Promise<number>
}

/** A database with all tables in it: one file of this folder for each kind. */
export interface Backend {
  rows: Statements['rows']
  /** One transaction at a time, whoever else writes to this database. Failures of the way to it are StoreErrors. */
  transact<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** Takes what was overwritten or deleted off the disk. */
  scrub(): Promise<void>
  close(): Promise<void>
}
