/** A damaged connection beside a sound one: what may go on, and what has to wait until it is repaired. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DamagedRow } from '#node/database/damagedRows.ts'
import type { Database } from '../database/database.ts'
import { Matches } from '../environments/matches.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { rotateKey } from './connectionKeyRotation.ts'
import { openConnections } from './openConnections.ts'

let dataDir: string
let database: Database
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'damaged-connection-'))
  database = await openTestDatabase(dataDir)
})
afterEach(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true })
})

const open = () => openConnections({ database, dataDir, secret: undefined })
const input = (name: string) => ({
  name,
  variant: 'openSource' as const,
  baseUrl: 'https://one.example',
  allowPrivate: false,
  readOnly: false,
  naming: 'neutral' as const,
  accessKey: 'personal-key-of-the-test',
})

/** Adds two connections. @returns the ID of the one whose text is cut */
async function plant(): Promise<string> {
  const { connections } = await open()
  await connections.create(input('Sound'))
  const { id } = await connections.create(input('Damaged'))
  await database.write({ sql: 'UPDATE connections SET record = ? WHERE id = ?', args: [`{SEEDED`, id] })
  return id
}

test('a key is not replaced, and what says so names the connection without its content', async () => {
  const id = await plant()
  const stored = () => database.rows('SELECT * FROM connections ORDER BY id')
  const [rows, key] = [await stored(), readFileSync(join(dataDir, 'console.key'))]
  const refusal: unknown = await rotateKey({ database, dataDir, secret: undefined }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DamagedRow)
  expect(String(refusal)).toContain(`The record ${id} of the table connections is damaged`)
  expect(String(refusal)).not.toContain('SEEDED')
  expect(await stored()).toEqual(rows)
  expect(readFileSync(join(dataDir, 'console.key'))).toEqual(key)
  await open()
  expect(readdirSync(dataDir).filter((name) => name.endsWith('.next'))).toEqual([])
})

test('what people matched with its records is kept', async () => {
  const id = await plant()
  const { connections } = await open()
  const [sound] = connections.list()
  const matches = await Matches.open(database, dataDir)
  const of = (connectionId: string) => ({ connectionId, id: '1' })
  await matches.set({ kind: 'dashboards', name: 'Shop', records: [of(String(sound?.id)), of(id)] })
  await matches.keepOnly((connectionId) => connections.isStored(connectionId))
  expect(matches.all()).toHaveLength(1)
  await database.write({ sql: 'DELETE FROM connections WHERE id = ?', args: [id] })
  const after = (await open()).connections
  await matches.keepOnly((connectionId) => after.isStored(connectionId))
  expect(matches.all()).toEqual([])
})
