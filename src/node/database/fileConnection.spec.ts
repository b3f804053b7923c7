import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LibsqlError } from '@libsql/client/sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { FileConnection, inTransaction } from './fileConnection.ts'

let file: string
let connection: FileConnection
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'connection-'))
  file = join(folder, 'records.db')
  connection = new FileConnection(file)
  connection.execute('PRAGMA journal_mode = WAL')
  connection.execute('CREATE TABLE records (id INTEGER PRIMARY KEY, name TEXT UNIQUE, content BLOB)')
  return () => {
    connection.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

const insert = 'INSERT INTO records VALUES (?, ?, ?)'
const ids = (of = connection) => of.execute('SELECT id FROM records ORDER BY id').rows.map(({ id }) => id)

function failureOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('It did not fail.')
}

test('values come back as they were written, also from a statement that ran before', () => {
  const rows = [
    [1, 'a', new Uint8Array([1, 2])],
    [2 ** 53 - 1, null, null],
    [-3, '', new Uint8Array()],
  ] as const
  for (const row of rows) expect(connection.execute(insert, row)).toEqual({ rows: [], rowsAffected: 1 })
  for (const [id, name, content] of rows) {
    const bytes = content && Uint8Array.from(content).buffer
    expect(connection.execute('SELECT * FROM records WHERE id = ?', [id]).rows).toEqual([{ id, name, content: bytes }])
  }
  expect(connection.execute('SELECT 1.5 AS a, 2 AS a').rows).toEqual([{ a: 1.5 }])
})

test('numbers that would change are refused', () => {
  expect(() => connection.execute('SELECT 9007199254740993')).toThrow(RangeError)
  expect(() => connection.execute('SELECT ?', [Number.NaN])).toThrow(RangeError)
})

test('an argument that is left out is null, and not that of the run before', () => {
  const sql = 'SELECT ?1 AS a, ?2 AS b'
  expect(connection.execute(sql, [1, 2]).rows).toEqual([{ a: 1, b: 2 }])
  expect(connection.execute(sql, [3]).rows).toEqual([{ a: 3, b: null }])
})

test('a statement that failed can run again', () => {
  const renamed = 'INSERT INTO records VALUES (?, ?, NULL) RETURNING id'
  for (const sql of [insert, renamed]) {
    const args = sql === insert ? [null] : []
    connection.execute('DELETE FROM records')
    connection.execute(sql, [1, 'a', ...args])
    const failure = failureOf(() => connection.execute(sql, [2, 'a', ...args]))
    expect(failure).toBeInstanceOf(LibsqlError)
    expect(failure).toMatchObject({ code: 'SQLITE_CONSTRAINT', extendedCode: 'SQLITE_CONSTRAINT_UNIQUE' })
    connection.execute(sql, [3, 'b', ...args])
    expect(ids()).toEqual([1, 3])
  }
})

test('a prepared statement follows changes of the schema by another connection', () => {
  const sql = 'SELECT * FROM records'
  connection.execute(insert, [1, 'a', null])
  connection.execute(sql)
  const other = new FileConnection(file)
  other.execute('ALTER TABLE records RENAME COLUMN name TO title')
  other.execute('ALTER TABLE records ADD COLUMN size INTEGER DEFAULT 5')
  expect(connection.execute(sql).rows).toEqual([{ id: 1, title: 'a', content: null, size: 5 }])
  other.execute('DROP TABLE records')
  other.close()
  expect(() => connection.execute(sql)).toThrow(/no such table/)
})

test('prepared statements hold no state of the file', () => {
  // More rows than the library reads at a time.
  for (let id = 1; id <= 200; id++) connection.execute(insert, [id, null, null])
  const reader = new FileConnection(file)
  for (const limit of [1, 99, 100, 101, 200]) {
    expect(reader.execute('SELECT id FROM records LIMIT ?', [limit]).rows).toHaveLength(limit)
    connection.execute(insert, [1000 + limit, null, null])
    const [row] = connection.execute('PRAGMA wal_checkpoint(TRUNCATE)').rows
    expect(row).toEqual({ busy: 0, log: 0, checkpointed: 0 })
  }
  connection.execute('VACUUM')
  reader.close()
})

test('more statements than are kept stay right', () => {
  for (const round of [1, 2]) {
    for (let index = 0; index < 400; index++) {
      expect(connection.execute(`SELECT ${index} AS a, ? AS b`, [round]).rows).toEqual([{ a: index, b: round }])
    }
  }
})

test('a transaction is visible to others once it is committed', async () => {
  const other = new FileConnection(file)
  await inTransaction(connection, async (transaction) => {
    transaction.execute(insert, [1, 'a', null])
    await Promise.resolve()
    expect(ids(other)).toEqual([])
    transaction.commit()
    expect(ids(other)).toEqual([1])
  })
  other.close()
})

test('a transaction that fails is rolled back, and the next one is not disturbed', async () => {
  const failing = inTransaction(connection, async (transaction) => {
    transaction.execute(insert, [1, 'a', null])
    transaction.execute(insert, [2, 'a', null])
  })
  await expect(failing).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' })
  await inTransaction(connection, async (transaction) => {
    transaction.execute(insert, [3, 'a', null])
    transaction.commit()
  })
  expect(ids()).toEqual([3])
})

test('a transaction that has ended takes no statements', async () => {
  const ended = await inTransaction(connection, async (transaction) => transaction)
  await inTransaction(connection, async (next) => {
    expect(failureOf(() => ended.execute(insert, [1, 'a', null]))).toMatchObject({ code: 'TRANSACTION_CLOSED' })
    next.execute('ROLLBACK')
    expect(failureOf(() => next.execute(insert, [1, 'a', null]))).toMatchObject({ code: 'TRANSACTION_CLOSED' })
  })
  expect(ids()).toEqual([])
})

test('a connection that is closed refuses statements, and ends its transaction', async () => {
  await inTransaction(connection, async (transaction) => {
    transaction.execute(insert, [1, 'a', null])
    connection.close()
    expect(() => transaction.commit()).toThrow(LibsqlError)
  })
  expect(failureOf(() => ids())).toMatchObject({ code: 'CLIENT_CLOSED' })
  const other = new FileConnection(file)
  expect(ids(other)).toEqual([])
  await inTransaction(other, async () => {})
  other.close()
})
