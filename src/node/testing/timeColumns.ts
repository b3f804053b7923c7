/** Which columns of a database have times, for specs that check what becomes of them when the clock is set back. */
import type { Statements } from '../database/statements.ts'

/** A column that may hold a time has one of these words in its name. */
const timeName =
  /(?:^|_)(?:ats?|until|since|from|to|for|on|when|before|after|time|date|day|deadline|seen|used|last|next|due|done|begun|began|start|started|end|ends|ended|expir\w*|valid|created|updated|changed|modified|closed|opened|beat)(?:$|_)/

/** Types of columns that hold a time: a number, a text or a time of the database. */
const types = /int|text|real|double|numeric|time|date/i

/** The columns of all tables that have times by their names, as `table.column`, sorted. */
export async function timeColumns(rows: Statements['rows'], kind: 'file' | 'server'): Promise<string[]> {
  const found = await rows(
    kind === 'file'
      ? `SELECT t.name AS table_name, c.name AS column_name, c.type AS data_type
         FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`
      : `SELECT table_name, column_name, data_type FROM information_schema.columns
         WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`,
  )
  return found
    .filter((row) => timeName.test(String(row['column_name'])) && types.test(String(row['data_type'])))
    .map((row) => `${String(row['table_name'])}.${String(row['column_name'])}`)
    .toSorted()
}
