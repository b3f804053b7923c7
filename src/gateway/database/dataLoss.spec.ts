/** A database that is missing, damaged, older or another one than the data directory had is refused. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { removeMarkers } from '#node/files/dataLoss.ts'
import { openDatabase } from './database.ts'

let dataDir: string
let file: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'data-loss-'))
  file = join(dataDir, 'console.db')
  return () => rmSync(dataDir, { recursive: true, force: true })
})

async function addList(kind: string): Promise<void> {
  const database = await openDatabase(dataDir)
  await database.write({ sql: 'INSERT INTO lists (deployment, kind) VALUES (?, ?)', args: ['d', kind] })
  await database.close()
}

async function listsOf(acceptDataLoss = false): Promise<unknown[]> {
  const database = await openDatabase(dataDir, undefined, { acceptDataLoss })
  try {
    return (await database.rows('SELECT kind FROM lists ORDER BY kind')).map(({ kind }) => kind)
  } finally {
    await database.close()
  }
}

/** The pages in the middle of the file. */
function overwriteMiddle(): void {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, bytes.length / 4, (bytes.length * 3) / 4)
  writeFileSync(file, bytes)
}

const ways: { way: string; damage(): void; message: RegExp; left: string[] }[] = [
  { way: 'missing', damage: () => rmSync(file), message: /is missing, but DATA_DIR had records/, left: [] },
  { way: 'emptied', damage: () => truncateSync(file), message: /has no content, but DATA_DIR had/, left: [] },
  { way: 'cut', damage: () => truncateSync(file, 20_480), message: /is damaged \(SQLITE_CORRUPT\)/, left: [] },
  { way: 'cut to less than a page', damage: () => truncateSync(file, 60), message: /is damaged/, left: [] },
  { way: 'overwritten in part', damage: overwriteMiddle, message: /is damaged/, left: [] },
  {
    way: 'an older copy',
    damage: () => copyFileSync(join(dataDir, 'older'), file),
    message: /is older than it was at .+: at least 1 later write is missing/,
    left: ['a'],
  },
  {
    way: 'beside a damaged marker',
    damage: () => truncateSync(join(dataDir, 'console.marker'), 3),
    message: /console.marker in DATA_DIR .+ is damaged/,
    left: ['a', 'b'],
  },
]

test.each(ways)('a console.db that is $way stops the start once it had records', async ({ damage, message, left }) => {
  await addList('a')
  copyFileSync(file, join(dataDir, 'older'))
  await addList('b')
  damage()
  const failed: unknown = await openDatabase(dataDir).catch((error: unknown) => error)
  expect(String(failed)).toMatch(message)
  expect(String(failed)).toContain('Restore a backup (npm run restore), or start once with --accept-data-loss')
  // Nothing was made or changed that a second start would take for the records.
  await expect(openDatabase(dataDir)).rejects.toThrow(message)
  expect(await listsOf(true)).toEqual(left)
  expect(await listsOf()).toEqual(left)
})

test('a damaged file is kept when its loss is accepted', async () => {
  await addList('a')
  for (const kept of ['console.db.damaged', 'console.db.damaged-2']) {
    writeFileSync(file, `not a database: ${kept}`)
    await listsOf(true)
    expect(readFileSync(join(dataDir, kept), 'utf8')).toBe(`not a database: ${kept}`)
  }
})

test('the database of another console is refused', async () => {
  await addList('a')
  const other = mkdtempSync(join(dataDir, 'other-'))
  const database = await openDatabase(other)
  await database.close()
  copyFileSync(join(other, 'console.db'), file)
  await expect(openDatabase(dataDir)).rejects.toThrow(/is not the database that DATA_DIR .+ was used with until /)
})

test.each(['console.key', 'connections.json.migrated'])(
  'without marker, %s shows that there were records',
  async (name) => {
    writeFileSync(join(dataDir, name), '')
    await expect(openDatabase(dataDir)).rejects.toThrow(`it has ${name}.`)
    expect(existsSync(file)).toBe(false)
  },
)

test('a folder of a version without database is not refused', async () => {
  writeFileSync(join(dataDir, 'console.key'), '')
  writeFileSync(join(dataDir, 'connections.json'), '[]')
  expect(await listsOf()).toEqual([])
})

test('a restore of an older database is accepted once it has removed the markers', async () => {
  await addList('a')
  copyFileSync(file, join(dataDir, 'older'))
  await addList('b')
  copyFileSync(join(dataDir, 'older'), file)
  removeMarkers(dataDir)
  expect(await listsOf()).toEqual(['a'])
  rmSync(file)
  await expect(openDatabase(dataDir)).rejects.toThrow('is missing')
})

test('the marker of a database that is in use follows its writes', async () => {
  const database = await openDatabase(dataDir)
  const marked = () => Number(JSON.parse(readFileSync(join(dataDir, 'console.marker'), 'utf8')).sequence)
  expect(marked()).toBe(0)
  await database.write({ sql: "INSERT INTO lists (deployment, kind) VALUES ('d', 'a')" })
  await expect.poll(marked).toBe(1)
  await database.close()
})
