import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from './store.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store file-'))
  file = join(folder, 'a', 'stack.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a file and its key are for this user alone', async () => {
  const store = await openStore({ file })
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect((await stat(join(folder, 'a', 'stack.key'))).mode & 0o777).toBe(0o600)
  await store.close()
})

test('a file by its address is a file', async () => {
  const store = await openStore({ url: pathToFileURL(file).href, dataDir: folder })
  expect((await stat(file)).mode & 0o077).toBe(0)
  await store.close()
})

test('a file that is none of ours is refused in a line', async () => {
  await mkdir(join(folder, 'a'))
  await writeFile(file, 'a letter to a friend, and nothing else '.repeat(100))
  await expect(openStore({ file })).rejects.toThrow('stack.db in DATA_DIR cannot be opened (SQLITE_NOTADB)')
})
