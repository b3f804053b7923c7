import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { limitFileSize, mountSmall } from '#node/testing/fullDisk.ts'
import { readSetting, writeSetting } from './storeSettings.ts'
import { openStore } from './store.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store file-'))
  file = join(folder, 'a', 'stack.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a file and its key are readable by this user only', async () => {
  const store = await openStore({ file })
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect((await stat(join(folder, 'a', 'stack.key'))).mode & 0o777).toBe(0o600)
  await store.close()
})

test('accepts a file URL', async () => {
  const store = await openStore({ url: pathToFileURL(file).href, dataDir: folder })
  expect((await stat(file)).mode & 0o077).toBe(0)
  await store.close()
})

test('a copy of the file alone has all records of a store that was closed', async () => {
  const store = await openStore({ file })
  await store.write((transaction) => writeSetting(transaction, 'name', 'kept'))
  await store.close()
  const copy = join(folder, 'stack.db')
  await copyFile(file, copy)
  const copied = await openStore({ file: copy, dataDir: join(folder, 'a') })
  expect(await readSetting(copied, 'name', z.string())).toBe('kept')
  await copied.close()
})

test('an upgrade that fails in its last step changes nothing', async () => {
  await mkdir(join(folder, 'a'))
  const client = createClient({ url: pathToFileURL(file).href })
  // The table of a late step is there already.
  await client.execute('CREATE TABLE store_identity (id TEXT)')
  await expect(openStore({ file })).rejects.toThrow('cannot be opened')
  const { rows } = await client.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
  expect(rows.map(({ name }) => name)).toEqual(['migrations', 'store_identity'])
  expect((await client.execute('SELECT * FROM migrations')).rows).toEqual([])
  client.close()
})

test('rejects a file of another application in one line', async () => {
  await mkdir(join(folder, 'a'))
  await writeFile(file, 'a letter to a friend, and nothing else '.repeat(100))
  await expect(openStore({ file })).rejects.toThrow('is damaged (SQLITE_NOTADB). Restore a backup')
})

test.each(['mounted', 'limited'] as const)('a full disk (%s) is reported, and changes nothing', async (kind) => {
  const unmount = kind === 'mounted' ? mountSmall(folder, 1024) : null
  try {
    const store = await openStore({ file })
    const write = (value: string) => store.write((transaction) => writeSetting(transaction, 'name', value))
    await write('before')
    if (unmount) await writeFile(join(folder, 'filler'), Buffer.alloc(2 ** 20)).catch(() => undefined)
    else limitFileSize(8)
    const large = 'x'.repeat(100_000)
    await expect(write(large)).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(
        /^The disk that holds DATA_DIR is full\. Nothing was changed\.$|cannot be written/,
      ),
    })
    expect(await readSetting(store, 'name', z.string())).toBe('before')
    if (unmount) await rm(join(folder, 'filler'))
    else limitFileSize('unlimited')
    await write(large)
    expect(await readSetting(store, 'name', z.string())).toBe(large)
    await store.close()
  } finally {
    if (unmount) unmount()
    else limitFileSize('unlimited')
  }
})
