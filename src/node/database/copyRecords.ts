/** Copies records between an SQLite file and a PostgreSQL server that have the same tables. */
import { createHash } from 'node:crypto'
import type { Row, Statements, Value } from './statements.ts'

export interface CopyOptions {
  /** Tables that are of a running process only. */
  leftOut: readonly string[]
  /** The condition of the rows that are copied, by table. */
  only?: Readonly<Record<string, string>>
}

export interface CopiedRecords {
  tables: number
  rows: number
  /** Whether they were on the server already, as of an earlier copy that was interrupted after it. */
  wasThere: boolean
}

/** The server already has other records, or the copy differs from the file. Nothing was changed. */
class CopyRefused extends Error {
  override name = 'CopyRefused'
}

interface Table {
  name: string
  columns: string[]
  /** Its key, in SQLite and in PostgreSQL, where texts must sort by bytes as well. */
  key: { columns: string[]; file: string[]; server: string[] }
  where: string
  /** Has a column that counts by itself: `seq`. */
  counts: boolean
}

type Side = 'file' | 'server'

/** Rows of one statement. */
const batch = 100

/**
 * Copies all tables of a file or none.
 * @param server a transaction; commit it afterwards
 * @throws CopyRefused if the server has other records, or if what it has afterwards is not the same
 */
export async function copyRecords(
  file: Pick<Statements, 'rows'>,
  server: Statements,
  options: CopyOptions,
): Promise<CopiedRecords> {
  const tables = await tablesOf(file, options)
  const used = []
  for (const { name } of tables) if ((await server.rows(`SELECT 1 FROM ${name} LIMIT 1`)).length > 0) used.push(name)
  if (used.length === 0) {
    for (const table of tables) {
      await copyTable(file, server, table, 'file')
      const [last] = table.counts ? await file.rows('SELECT seq FROM sqlite_sequence WHERE name = ?', [table.name]) : []
      const seq = Number(last?.['seq'] ?? 0)
      if (seq > 0) await server.rows(`SELECT setval(pg_get_serial_sequence(?, 'seq'), ?)`, [table.name, seq])
    }
  }
  const rows = await compare(file, server, tables, (name) =>
    used.length === 0
      ? `The database has other rows in ${name} than the file. Nothing was moved.`
      : 'The database has other records already. Nothing was moved.',
  )
  return { tables: tables.length, rows, wasThere: used.length > 0 }
}

/**
 * Copies all tables of a server into a file that has the tables and no rows.
 * @param server a transaction that sees one state
 * @param file a transaction; commit it afterwards
 * @throws CopyRefused if what the file has afterwards is not the same
 */
export async function copyFromServer(
  server: Pick<Statements, 'rows'>,
  file: Statements,
  options: CopyOptions,
): Promise<CopiedRecords> {
  const tables = await tablesOf(file, options)
  for (const table of tables) {
    await copyTable(server, file, table, 'server')
    if (!table.counts) continue
    const sql = `SELECT pg_sequence_last_value(pg_get_serial_sequence(?, 'seq')::regclass) AS seq`
    const seq = Number((await server.rows(sql, [table.name]))[0]?.['seq'] ?? 0)
    await file.run('DELETE FROM sqlite_sequence WHERE name = ?', [table.name])
    await file.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [table.name, seq])
  }
  const rows = await compare(file, server, tables, (name) => `The copy has other rows in ${name} than the server.`)
  return { tables: tables.length, rows, wasThere: false }
}

/** In the order in which they were created: a table comes after those that it refers to. */
async function tablesOf(file: Pick<Statements, 'rows'>, { leftOut, only = {} }: CopyOptions): Promise<Table[]> {
  const found = await file.rows(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid",
  )
  const names = found.map(({ name }) => String(name)).filter((name) => !['migrations', ...leftOut].includes(name))
  return Promise.all(
    names.map(async (name): Promise<Table> => {
      const columns = await file.rows('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk', [name])
      const keys = columns.filter(({ pk }) => Number(pk) > 0)
      const names = keys.map((key) => String(key['name']))
      return {
        name,
        columns: columns.map((column) => String(column['name'])),
        key: {
          columns: names,
          file: names,
          // In the same order, independent of the server's language.
          server: keys.map((key) => `${String(key['name'])}${key['type'] === 'TEXT' ? ' COLLATE "C"' : ''}`),
        },
        where: only[name] ?? '1 = 1',
        counts: String(found.find((candidate) => candidate['name'] === name)?.['sql']).includes('AUTOINCREMENT'),
      }
    }),
  )
}

/** Page by page, so that no table has to fit into memory. Each page begins after the last key of the one before. */
async function* rowsOf(
  from: Pick<Statements, 'rows'>,
  { name, columns, key, where }: Table,
  side: Side,
  and = '1 = 1',
) {
  const sorted = key[side].join(', ')
  let last: Value[] | undefined
  for (;;) {
    const after = last ? `(${sorted}) > (${last.map(() => '?').join(', ')})` : '1 = 1'
    const rows = await from.rows(
      `SELECT ${columns.join(', ')} FROM ${name} WHERE (${where}) AND ${and} AND ${after} ORDER BY ${sorted} LIMIT ${batch}`,
      last,
    )
    if (rows.length > 0) yield rows
    if (rows.length < batch) return
    last = key.columns.map((column) => valueOf(rows.at(-1)?.[column]))
  }
}

/** @param side that the rows come from */
async function copyTable(from: Pick<Statements, 'rows'>, to: Statements, table: Table, side: Side): Promise<void> {
  const { name, columns } = table
  const overriding = side === 'file' ? 'OVERRIDING SYSTEM VALUE ' : ''
  const row = `(${columns.map(() => '?').join(', ')})`
  // A version may refer to one that sorts later, which has no base itself.
  const steps = columns.includes('base') ? ['base IS NULL', 'base IS NOT NULL'] : ['1 = 1']
  for (const step of steps) {
    for await (const rows of rowsOf(from, table, side, step)) {
      const places = rows.map(() => row).join(', ')
      const values = rows.flatMap((record) => columns.map((column) => valueOf(record[column])))
      await to.run(`INSERT INTO ${name} (${columns.join(', ')}) ${overriding}VALUES ${places}`, values)
    }
  }
}

/** @returns the number of rows. @throws CopyRefused for a table with other rows */
async function compare(
  file: Pick<Statements, 'rows'>,
  server: Pick<Statements, 'rows'>,
  tables: readonly Table[],
  problem: (table: string) => string,
): Promise<number> {
  let rows = 0
  for (const table of tables) {
    const [copied, stored] = [await digestOf(file, table, 'file'), await digestOf(server, table, 'server')]
    if (copied.digest !== stored.digest) throw new CopyRefused(problem(table.name))
    rows += copied.rows
  }
  return rows
}

async function digestOf(from: Pick<Statements, 'rows'>, table: Table, side: Side) {
  const hash = createHash('sha256')
  let count = 0
  for await (const rows of rowsOf(from, table, side)) {
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
