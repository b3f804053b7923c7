/** The stack's records are checked like those of the console: see `gateway/database/dataLoss.spec.ts` for all ways. */
import { copyFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { readSetting, writeSetting } from './storeSettings.ts'
import { openStore } from './store.ts'

let dataDir: string
let file: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'data-loss-'))
  file = join(dataDir, 'stack.db')
  return () => rmSync(dataDir, { recursive: true, force: true })
})

async function write(value: string): Promise<void> {
  const store = await openStore({ file })
  await store.write((transaction) => writeSetting(transaction, 'name', value))
  await store.close()
}

async function read(acceptDataLoss = false): Promise<string | undefined> {
  const store = await openStore({ file, acceptDataLoss })
  try {
    return await readSetting(store, 'name', z.string())
  } finally {
    await store.close()
  }
}

const ways: { way: string; damage(): void; message: RegExp; left: string | undefined }[] = [
  { way: 'missing', damage: () => rmSync(file), message: /is missing, but DATA_DIR had records/, left: undefined },
  { way: 'emptied', damage: () => truncateSync(file), message: /has no content, but/, left: undefined },
  { way: 'cut', damage: () => truncateSync(file, 20_480), message: /is damaged \(SQLITE_CORRUPT\)/, left: undefined },
  { way: 'an older copy', damage: () => copyFileSync(join(dataDir, 'older'), file), message: /older/, left: 'a' },
]

test.each(ways)('a stack.db that is $way stops the start, with what to do', async ({ damage, message, left }) => {
  await write('a')
  copyFileSync(file, join(dataDir, 'older'))
  await write('b')
  damage()
  await expect(read()).rejects.toThrow(message)
  await expect(read()).rejects.toThrow(
    /^stack\.db in DATA_DIR .+Restore a backup \(npm run restore\), or start once with/,
  )
  expect(await read(true)).toBe(left)
  expect(await read()).toBe(left)
})
