import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { beforeEach, expect, test, vi } from 'vitest'
import { Checkpoints } from './checkpoints.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkpoints-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const open = (file: string) => createClient({ url: pathToFileURL(file).href })

async function openWithLog() {
  const file = join(folder, 'records.db')
  const client = open(file)
  await client.execute('PRAGMA journal_mode = WAL')
  await client.execute('CREATE TABLE records (id INTEGER)')
  await client.execute('INSERT INTO records VALUES (1)')
  return { file, client }
}

/** The ids in a copy of the database file without its log. */
async function idsInCopy(file: string): Promise<unknown[]> {
  const copy = join(folder, 'copy.db')
  copyFileSync(file, copy)
  const client = open(copy)
  try {
    return (await client.execute('SELECT id FROM records ORDER BY id')).rows.map(({ id }) => id)
  } catch {
    return []
  } finally {
    client.close()
  }
}

test('a copy of the file alone has what was committed a while ago', async () => {
  const { file, client } = await openWithLog()
  const checkpoints = new Checkpoints(client, 20)
  checkpoints.committed()
  await expect.poll(() => idsInCopy(file)).toEqual([1])
  await client.execute('INSERT INTO records VALUES (2)')
  checkpoints.committed()
  await expect.poll(() => idsInCopy(file)).toEqual([1, 2])
  client.close()
})

test('what a reader holds back follows once it is done', async () => {
  const { file, client } = await openWithLog()
  const reader = open(file)
  const reading = await reader.transaction('read')
  await reading.execute('SELECT id FROM records')
  await client.execute('INSERT INTO records VALUES (2)')
  const checkpoint = vi.spyOn(client, 'execute')
  new Checkpoints(client, 20).committed()
  await expect.poll(() => checkpoint.mock.calls.length).toBeGreaterThan(1)
  expect(await idsInCopy(file)).not.toContain(2)
  await reading.rollback()
  reader.close()
  await expect.poll(() => idsInCopy(file)).toEqual([1, 2])
  client.close()
})

test('the end copies everything and empties the log', async () => {
  const { file, client } = await openWithLog()
  await new Checkpoints(client).close()
  client.close()
  expect(await idsInCopy(file)).toEqual([1])
  expect(statSync(`${file}-wal`).size).toBe(0)
})
