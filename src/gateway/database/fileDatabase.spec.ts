import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFile } from './fileDatabase.ts'

test('a copy of the file alone has all records of a database that was closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-file-'))
  const copied = join(folder, 'copied')
  mkdirSync(copied)
  const database = await openFile(folder)
  await database.write({ sql: "INSERT INTO lists (deployment, kind) VALUES ('d', 'k')" })
  await database.close()
  copyFileSync(join(folder, 'console.db'), join(copied, 'console.db'))
  const copy = await openFile(copied)
  expect(await copy.rows('SELECT deployment, kind FROM lists')).toMatchObject([{ deployment: 'd', kind: 'k' }])
  await copy.close()
  rmSync(folder, { recursive: true, force: true })
})
