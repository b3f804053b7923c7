/** Copies the records of an SQLite file to a PostgreSQL server that has the same tables. */
import { createHash } from 'node:crypto'
import type { Row, Statements, Value } from './statements.ts'

export interface CopyOptions {
  /** Tables that are of a running process only. */
  leftOut: readonly string[]
  /** Of a table, which rows are copied. */
  only?: Readonly<Record<string, string>>
}

export interface CopiedRecords {
  tables: number
  rows: number
  /** Whether they were on the server already, as of an earlier copy that was interrupted after it. */
  wasThere: boolean
}

/** The server has other records, or not what was copied. Nothing was changed. */
class CopyRefused extends Error {
  override name = 'CopyRefused'
}

interface Table {
  name: string
  columns: string[]
  /** Its rows in one order, in SQLite and in PostgreSQL. */
  sorted: { file: string; server: string }
  where: string
  /** The last value of a column that counts by itself. */
  sequence: number | undefined
}

/** Rows of one statement. */
const batch = 100

/**
 * Copies all tables or none.
 * @param server a transaction; commit it afterwards
 * @throws CopyRefused if the server has other records, or if what it has afterwards is not the same
 */
export async function copyRecords(
  file: Pick<Statements, 'rows'>,
  server: Statements,
  { leftOut, only = {} }: CopyOptions,
): Promise<CopiedRecords> {
  const tables = await tablesOf(file, leftOut, only)
  const used = []
  for (const { name } of tables) if ((await server.rows(`SELECT 1 FROM ${name} LIMIT 1`)).length > 0) used.push(name)
  if (used.length === 0) for (const table of tables) await copyTable(file, server, table)
  let rows = 0
  for (const table of tables) {
    const here = await digestOf(file, table, table.sorted.file)
    const there = await digestOf(server, table, table.sorted.server)
    if (here.digest !== there.digest) {
      const found = used.length === 0 ? `has other rows in ${table.name} than the file` : 'has other records already'
      throw new CopyRefused(`The database ${found}. Nothing was moved.`)
    }
    rows += here.rows
  }
  return { tables: tables.length, rows, wasThere: used.length > 0 }
}

/** In the order in which they were created: a table comes after those that it refers to. */
async function tablesOf(
  file: Pick<Statements, 'rows'>,
  leftOut: readonly string[],
  only: Readonly<Record<string, string>>,
): Promise<Table[]> {
  const found = await file.rows(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid",
  )
  const names = found.map(({ name }) => String(name)).filter((name) => !['migrations', ...leftOut].includes(name))
  return Promise.all(
    names.map(async (name): Promise<Table> => {
      const columns = await file.rows('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk', [name])
      const keys = columns.filter(({ pk }) => Number(pk) > 0)
      const counts = String(found.find((one) => one['name'] === name)?.['sql']).includes('AUTOINCREMENT')
      const [last] = counts ? await file.rows('SELECT seq FROM sqlite_sequence WHERE name = ?', [name]) : []
      return {
        name,
        columns: columns.map((column) => String(column['name'])),
        sorted: {
          file: keys.map((key) => key['name']).join(', '),
          // Whatever the language of the server.
          server: keys.map((key) => `${String(key['name'])}${key['type'] === 'TEXT' ? ' COLLATE "C"' : ''}`).join(', '),
        },
        where: only[name] ?? '1 = 1',
        sequence: last && Number(last['seq']),
      }
    }),
  )
}

/** Page by page, so that no table has to fit into memory. */
async function* rowsOf(from: Pick<Statements, 'rows'>, { name, columns, where }: Table, sorted: string) {
  for (let offset = 0; ; offset += batch) {
    const sql = `SELECT ${columns.join(', ')} FROM ${name} WHERE ${where} ORDER BY ${sorted} LIMIT ${batch} OFFSET ${offset}`
    const rows = await from.rows(sql)
    if (rows.length > 0) yield rows
    if (rows.length < batch) return
  }
}

async function copyTable(file: Pick<Statements, 'rows'>, server: Statements, table: Table): Promise<void> {
  const { name, columns, sequence } = table
  // A version may refer to one that sorts later.
  const sorted = columns.includes('base') ? `base IS NOT NULL, ${table.sorted.file}` : table.sorted.file
  const row = `(${columns.map(() => '?').join(', ')})`
  for await (const rows of rowsOf(file, table, sorted)) {
    const places = rows.map(() => row).join(', ')
    const values = rows.flatMap((one) => columns.map((column) => valueOf(one[column])))
    await server.run(`INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE VALUES ${places}`, values)
  }
  if (sequence) await server.rows(`SELECT setval(pg_get_serial_sequence(?, 'seq'), ?)`, [name, sequence])
}

async function digestOf(from: Pick<Statements, 'rows'>, table: Table, sorted: string) {
  const hash = createHash('sha256')
  let count = 0
  for await (const rows of rowsOf(from, table, sorted)) {
    count += rows.length
    for (const row of rows) hash.update(JSON.stringify(table.columns.map((column) => comparable(row, column))))
  }
  return { rows: count, digest: hash.digest('hex') }
}

function valueOf(value: unknown): Value {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`SQLite returned a value of type ${typeof value}.`)
}

function comparable(row: Row, column: string): unknown {
  const value = row[column]
  return value instanceof ArrayBuffer ? Buffer.from(value).toString('base64') : value
}
