import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { Checkpoints } from './databaseFile.ts'
import { FileConnection } from './fileConnection.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkpoints-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

function openWithLog() {
  const file = join(folder, 'records.db')
  const connection = new FileConnection(file)
  connection.execute('PRAGMA journal_mode = WAL')
  connection.execute('CREATE TABLE records (id INTEGER)')
  connection.execute('INSERT INTO records VALUES (1)')
  return { file, connection }
}

/** The ids in a copy of the database file without its log. */
function idsInCopy(file: string): unknown[] {
  const copy = join(folder, 'copy.db')
  copyFileSync(file, copy)
  const connection = new FileConnection(copy)
  try {
    return connection.execute('SELECT id FROM records ORDER BY id').rows.map(({ id }) => id)
  } catch {
    return []
  } finally {
    connection.close()
  }
}

test('a copy of the file alone has what was committed a while ago', async () => {
  const { file, connection } = openWithLog()
  const checkpoints = new Checkpoints(connection, 20)
  checkpoints.committed()
  await expect.poll(() => idsInCopy(file)).toEqual([1])
  connection.execute('INSERT INTO records VALUES (2)')
  checkpoints.committed()
  await expect.poll(() => idsInCopy(file)).toEqual([1, 2])
  connection.close()
})

test('what a reader holds back follows once it is done', async () => {
  const { file, connection } = openWithLog()
  const reader = new FileConnection(file)
  reader.execute('BEGIN')
  reader.execute('SELECT id FROM records')
  connection.execute('INSERT INTO records VALUES (2)')
  const checkpoint = vi.spyOn(connection, 'execute')
  new Checkpoints(connection, 20).committed()
  await expect.poll(() => checkpoint.mock.calls.length).toBeGreaterThan(1)
  expect(idsInCopy(file)).not.toContain(2)
  reader.rollback()
  reader.close()
  await expect.poll(() => idsInCopy(file)).toEqual([1, 2])
  connection.close()
})

test('the end copies everything and empties the log', async () => {
  const { file, connection } = openWithLog()
  new Checkpoints(connection).close()
  connection.close()
  expect(idsInCopy(file)).toEqual([1])
  expect(statSync(`${file}-wal`).size).toBe(0)
})
