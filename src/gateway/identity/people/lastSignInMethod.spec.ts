/** The rule that keeps people able to sign in counts only readable rows: administrators, passkeys and passwords that are damaged let nobody in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../database/database.ts'
import { Identities } from '../oidc/identities.ts'
import { Passkeys } from '../passkeys/passkeys.ts'
import { openTestDatabase } from '../../testing/testDatabase.ts'
import { People } from './people.ts'

let folder: string
let database: Database
let people: People
let passkeys: Passkeys
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'last-ways-'))
  database = await openTestDatabase(folder)
  people = new People(database)
  passkeys = new Passkeys(database)
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

/** An account that is in use. @returns its ID */
async function account(name: string, way: 'password' | 'passkey' = 'password'): Promise<string> {
  const { id } = await people.add({ name, email: `${name}@example.com`, role: 'administrator', roles: {} })
  if (way === 'password') await people.setPassword(id, 'a-password-of-the-test')
  else await addPasskey(id, name)
  await people.activate(id)
  return id
}
const addPasskey = (id: string, name: string) =>
  passkeys.add(id, name, { id: name, publicKey: new Uint8Array([1]), counter: 0 }, false)
const run = (sql: string) => database.write({ sql })
const conflict = { error: { code: 'conflict' } }

const damages = [
  ['damaged', 'password', "UPDATE people SET roles = '{' WHERE name = 'other'"],
  ['with a damaged password', 'password', "UPDATE people SET password = 'x' WHERE name = 'other'"],
  ['without any way to sign in', 'password', "UPDATE people SET password = NULL WHERE name = 'other'"],
  ['with a damaged passkey alone', 'passkey', "UPDATE passkeys SET transports = '['"],
] as const

describe.each(damages)('beside an administrator that is %s', (_, way, damage) => {
  let [last, other] = ['', '']
  beforeEach(async () => {
    last = await account('last')
    other = await account('other', way)
    await run(damage)
  })

  test('the last one who can sign in stays', async () => {
    const viewer = { name: 'last', email: 'last@example.com', role: 'viewer', roles: {} } as const
    await expect(people.remove(last)).rejects.toMatchObject(conflict)
    await expect(people.setDisabled(last, true)).rejects.toMatchObject(conflict)
    await expect(people.update(last, viewer)).rejects.toMatchObject(conflict)
    expect(await people.get(last)).toMatchObject({ role: 'administrator', state: 'active' })
  })

  test('the other one can be deleted', async () => {
    await people.remove(other)
    expect((await people.list()).map(({ name }) => name)).toEqual(['last'])
  })

  test('one more who can sign in is enough', async () => {
    await account('third', 'passkey')
    await people.remove(last)
    expect((await people.list()).map(({ name }) => name)).toContain('third')
  })
})

describe('a damaged passkey', () => {
  let id = ''
  beforeEach(async () => {
    id = await account('p', 'passkey')
    await addPasskey(id, 'damaged')
    await run("UPDATE passkeys SET transports = '[' WHERE name = 'damaged'")
  })
  const idOf = async (name: string) =>
    String((await database.rows('SELECT id FROM passkeys WHERE name = ?', [name]))[0]?.['id'])

  test('takes the place of no other way', async () => {
    await expect(passkeys.remove(id, await idOf('p'))).rejects.toMatchObject(conflict)
    const identities = new Identities(database, [], 60_000)
    await passkeys.remove(id, await idOf('damaged'))
    expect((await passkeys.of(id)).map(({ name }) => name)).toEqual(['p'])
    await run("UPDATE passkeys SET transports = '['")
    await identities.connect({ issuer: 'i', subject: 's', personId: id, provider: 'a', groups: [] })
    expect(await identities.disconnect(id, 'a')).toBe(false)
  })

  test('alone needs an invitation when the account is enabled again', async () => {
    await account('last')
    await people.setDisabled(id, true)
    await run("UPDATE passkeys SET transports = '['")
    expect(await people.setDisabled(id, false)).toMatchObject({ state: 'invited' })
  })
})

test('a damaged password fits nothing', async () => {
  const id = await account('p')
  await run("UPDATE people SET password = 'x'")
  expect(await people.withPassword('p@example.com', 'a-password-of-the-test')).toBeUndefined()
  expect(await people.hasPassword(id, 'a-password-of-the-test')).toBe(false)
  expect(await people.hasAnyPassword(id)).toBe(false)
})
