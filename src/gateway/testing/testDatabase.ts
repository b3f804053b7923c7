/** The databases of tests: files, or in the project `postgres` of the tests those of a PostgreSQL server. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { preparedFile } from '#node/testing/preparedFile.ts'
import { newConsoleDatabase } from '#node/testing/testPostgres.ts'
import { openDatabase, type Database } from '../database/database.ts'

const urls = new Map<string, string>()

// Without an identity, which the database of each test gets when it is opened.
const prepared = preparedFile('console.db', async (file) => {
  const database = await openDatabase(dirname(file), undefined, { isTarget: true })
  await database.close()
})

/** The URL of the database of a data directory: always the same one for a folder; undefined for `console.db` in it. */
export async function testDatabaseUrl(dataDir: string): Promise<string | undefined> {
  if (process.env['TEST_CONSOLE_ON_SERVER'] === undefined) {
    await prepareFile(dataDir)
    return undefined
  }
  const known = urls.get(dataDir)
  if (known !== undefined) return known
  const url = await newConsoleDatabase()
  urls.set(dataDir, url)
  return url
}

/** Only in a new folder: what is missing in one that was in use is what some specs are about. */
async function prepareFile(dataDir: string): Promise<void> {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) return
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'console.db'), await prepared(), { mode: 0o600 })
}

export async function openTestDatabase(dataDir: string): Promise<Database> {
  return openDatabase(dataDir, await testDatabaseUrl(dataDir))
}

/** All bytes that are stored: the files of a data directory, and its database on the server. */
export async function storedBytes(dataDir: string): Promise<string> {
  const files = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'latin1'))
  const url = await testDatabaseUrl(dataDir)
  return [...files, ...(url === undefined ? [] : await rowsOf(url))].join('\n')
}

async function rowsOf(url: string): Promise<string[]> {
  const client = new Client(url)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'console_records'",
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM ${name}`)
    for (const value of rows.flatMap((row) => Object.values(row))) {
      texts.push(Buffer.isBuffer(value) ? value.toString('latin1') : String(value))
    }
  }
  await client.end()
  return texts
}
