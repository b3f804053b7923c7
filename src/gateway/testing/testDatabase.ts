/** The databases of tests: files, or those of the PostgreSQL server that the project `postgres` of the tests starts. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { openDatabase, type Database } from '../database/database.ts'

/** Has the URL of the server, and a database on it from which others can be created. */
export const serverVariable = 'TEST_CONSOLE_SERVER'

const urls = new Map<string, string>()

/** The URL of the database of a data directory: always the same one for a folder; undefined for `console.db` in it. */
export async function testDatabaseUrl(dataDir: string): Promise<string | undefined> {
  const server = process.env[serverVariable]
  if (server === undefined || process.env['TEST_CONSOLE_ON_SERVER'] === undefined) return undefined
  const known = urls.get(dataDir)
  if (known !== undefined) return known
  const url = await createDatabase(server)
  urls.set(dataDir, url)
  return url
}

export async function openTestDatabase(dataDir: string): Promise<Database> {
  return openDatabase(dataDir, await testDatabaseUrl(dataDir))
}

async function createDatabase(server: string): Promise<string> {
  const name = `console_${randomBytes(6).toString('hex')}`
  const client = new Client(server)
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return new URL(`/${name}`, server).href
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
