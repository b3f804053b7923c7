/** Statements with `?` or `?1` as placeholders, which SQLite and PostgreSQL share. */

/** The value of a column. */
export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, unknown>>

export interface Statements {
  /** Rows of a query, or of a statement that returns some. Bytes are an `ArrayBuffer`. */
  rows(sql: string, args?: readonly Value[]): Promise<Row[]>
  /** @returns the number of changed rows */
  run(sql: string, args?: readonly Value[]): Promise<number>
}
