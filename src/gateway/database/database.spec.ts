import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'

test('a copy of the file alone has all records of a database that was closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-file-'))
  const copied = join(folder, 'copied')
  mkdirSync(copied)
  const database = await openDatabase(folder)
  await database.write({ sql: "INSERT INTO lists (deployment, kind) VALUES ('d', 'k')" })
  await database.close()
  copyFileSync(join(folder, 'console.db'), join(copied, 'console.db'))
  const copy = await openDatabase(copied)
  expect(await copy.rows('SELECT deployment, kind FROM lists')).toMatchObject([{ deployment: 'd', kind: 'k' }])
  await copy.close()
  rmSync(folder, { recursive: true, force: true })
})

test('an upgrade that fails in its last step changes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-file-'))
  const client = createClient({ url: pathToFileURL(join(folder, 'console.db')).href })
  // The table of a late step is there already.
  await client.execute('CREATE TABLE store_identity (id TEXT)')
  await expect(openDatabase(folder)).rejects.toThrow(/console\.db in DATA_DIR .* cannot be opened/)
  const { rows } = await client.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
  expect(rows.map(({ name }) => name)).toEqual(['migrations', 'store_identity'])
  expect((await client.execute('SELECT * FROM migrations')).rows).toEqual([])
  client.close()
  rmSync(folder, { recursive: true, force: true })
})
