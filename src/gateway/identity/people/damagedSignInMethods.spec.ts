/** Damaged sessions and ways to sign in: they end as others do, can be removed, and none is said to be gone that is not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../database/database.ts'
import { Identities } from '../oidc/identities.ts'
import { Passkeys } from '../passkeys/passkeys.ts'
import { Sessions } from '../sessions/sessions.ts'
import { openTestDatabase } from '../../testing/testDatabase.ts'
import { People } from './people.ts'

let folder: string
let database: Database
let personId: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-ways-'))
  database = await openTestDatabase(folder)
  personId = (await new People(database).add({ name: 'P', email: 'p@example.com', role: 'viewer', roles: {} })).id
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

test('a damaged passkey can be removed, because nobody signs in with it', async () => {
  const passkeys = new Passkeys(database)
  await passkeys.add(personId, 'Key', { id: 'c', publicKey: new Uint8Array([1]), counter: 0 }, false)
  await database.write({ sql: "UPDATE passkeys SET transports = '['" })
  const [row] = await database.rows('SELECT id FROM passkeys')
  await passkeys.remove(personId, String(row?.['id']))
  expect(await database.rows('SELECT 1 FROM passkeys')).toEqual([])
})

test('the last identity is not said to be removed', async () => {
  const identities = new Identities(database, [], 60_000)
  await identities.connect({ issuer: 'i', subject: 's', personId, provider: 'p', groups: [] })
  await database.write({ sql: "UPDATE identities SET group_names = '['" })
  expect(await identities.disconnect(personId, 'p')).toBe(false)
  expect(await database.rows('SELECT 1 FROM identities')).toHaveLength(1)
})

test('signing somebody out ends also a damaged session, which does not come back when it is repaired', async () => {
  const id = await new Sessions(database).start({ way: 'link', browser: 'Firefox', person: personId })
  // A column of a server has text only: there, the row stays sound.
  if (!database.isShared) await database.write({ sql: "UPDATE sessions SET browser = X'00ff'" })
  await new Sessions(database).endThose(({ person }) => person === personId)
  await database.write({ sql: "UPDATE sessions SET browser = 'Firefox'" })
  expect(await new Sessions(database).find(id)).toBeNull()
})
