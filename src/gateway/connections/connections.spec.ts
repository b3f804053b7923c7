import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connection, connectionInput, type ConnectionInput } from '#contract/console/connections.ts'
import type { Database } from '../database/database.ts'
import { SharedList } from '../database/sharedList.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { Connections, type Seed } from './connections.ts'
import { canonicalAddress } from './destination.ts'
import { connectionRecord } from './connectionRecords.ts'
import { openKeys } from './consoleKeys.ts'
import { openConnections } from './openConnections.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { followSeeds, seedConnections } from './seedConnections.ts'
import { organizationId, seedsTo, secrets, serviceId } from '../testing/testGateway.ts'

/** The person who changes connections in these tests. */
const administrator = { administers: true }

let dataDir: string
let database: Database
let connections: Connections

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'connections-'))
  database = await openTestDatabase(dataDir)
  connections = await open()
})
afterEach(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true })
})

const open = async () => (await openConnections({ database, dataDir })).connections
const stored = async () => JSON.stringify(await database.rows('SELECT * FROM connections ORDER BY position'))
/** As somebody would who can write the database. */
const replaceStored = (text: string, other: string) =>
  database.write({ sql: 'UPDATE connections SET record = replace(record, ?, ?)', args: [text, other] })

function input(more: Partial<ConnectionInput> = {}) {
  return connectionInput.parse({
    name: 'Staging',
    stage: 'staging',
    variant: 'openSource',
    baseUrl: 'https://one.example/',
    accessKey: secrets.accessKey,
    ...more,
  })
}

async function errorOf(action: () => unknown) {
  try {
    await action()
  } catch (error) {
    if (error instanceof ApiFailure) return error.error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('connection store', () => {
  test('encrypts a secret on disk and never returns it', async () => {
    const shown = await connections.create(input())
    expect(connection.parse(shown)).toEqual(shown)
    expect(shown.secretEnd).toBe(secrets.accessKey.slice(-4))
    expect(JSON.stringify(connections.list())).not.toContain(secrets.accessKey)
    expect(await stored()).not.toContain(secrets.accessKey)
    expect(connections.open(shown.id).authorization).toBe(`Bearer ${secrets.accessKey}`)
  })

  test('keeps connections over a restart', async () => {
    const shown = await connections.create(input())
    const reopened = await open()
    expect(reopened.list()).toEqual([shown])
    expect(reopened.open(shown.id).authorization).toBe(`Bearer ${secrets.accessKey}`)
  })

  test('does not show the end of a short secret', async () => {
    expect((await connections.create(input({ accessKey: 'short' }))).secretEnd).toBeUndefined()
  })

  test('sends ID and secret as Basic to the managed variant', async () => {
    const { id } = await connections.create(
      input({ variant: 'managed', organizationId, serviceId, keyId: 'me', keySecret: 'it', accessKey: undefined }),
    )
    expect(connections.open(id).authorization).toBe(`Basic ${Buffer.from('me:it').toString('base64')}`)
  })

  test('a damaged secret disables only its connection, and can be entered again', async () => {
    const damaged = await connections.create(input())
    const sound = await connections.create(input({ name: 'Other' }))
    const sealedIn = async ({ id }: { id: string }) => {
      const [row] = await database.rows('SELECT record FROM connections WHERE id = ?', [id])
      return String(JSON.parse(String(row?.['record'])).sealed.accessKey)
    }
    await replaceStored(await sealedIn(damaged), await sealedIn(sound))
    const reopened = await open()
    expect(reopened.list()).toHaveLength(2)
    expect(await errorOf(() => reopened.open(damaged.id))).toMatchObject({ code: 'keyRejected' })
    expect(reopened.open(sound.id).authorization).toContain(secrets.accessKey)
    await reopened.update(damaged.id, input(), administrator)
    expect(reopened.open(damaged.id).authorization).toContain(secrets.accessKey)
  })

  test('does not send the key to an address that was changed in the database', async () => {
    const { id } = await connections.create(input())
    await replaceStored('one.example', 'evil.example')
    const reopened = await open()
    expect(await errorOf(() => reopened.open(id))).toMatchObject({ code: 'keyRejected' })
  })

  test('leaves a damaged record out, reports it and does not overwrite it', async () => {
    const { id } = await connections.create(input())
    await replaceStored('{', '[')
    const [before] = await database.rows('SELECT record FROM connections WHERE id = ?', [id])
    const reopened = await open()
    expect(reopened.list()).toEqual([])
    expect(database.damaged.all()).toMatchObject([{ table: 'connections', id }])
    const sound = await reopened.create(input({ name: 'Sound' }))
    expect((await open()).list()).toEqual([sound])
    expect(await database.rows('SELECT record FROM connections WHERE id = ?', [id])).toEqual([before])
  })

  test('keeps what two consoles change at the same time, and each sees what the other did', async () => {
    const other = await open()
    const { id } = await connections.create(input())
    expect(await other.refresh()).toEqual([id])
    await Promise.all([connections.setReadOnly(id, true), other.create(input({ name: 'Second' }))])
    await other.setReadOnly(id, true)
    await connections.update(id, input({ name: 'Renamed', readOnly: true, accessKey: undefined }), administrator)
    await Promise.all([connections.refresh(), other.refresh()])
    for (const one of [connections, other]) {
      expect(one.list().map(({ name, readOnly }) => [name, readOnly])).toEqual([
        ['Renamed', true],
        ['Second', false],
      ])
      expect(one.open(id).authorization).toBe(`Bearer ${secrets.accessKey}`)
    }
    await connections.delete(id)
    expect(await other.refresh()).toEqual([id])
    expect(await errorOf(() => other.open(id))).toMatchObject({ code: 'notFound' })
    expect(await other.refresh()).toEqual([])
  })
})

describe('update of a connection', () => {
  test('keeps the secret if it is omitted', async () => {
    const { id } = await connections.create(input())
    const shown = await connections.update(id, input({ name: 'Renamed', accessKey: undefined }), administrator)
    expect(shown.name).toBe('Renamed')
    expect(connections.open(id).authorization).toBe(`Bearer ${secrets.accessKey}`)
  })

  test.each(['https://two.example', 'http://one.example', 'https://one.example:8443', 'https://one.example/prefix'])(
    'does not send the stored secret to %s',
    async (baseUrl) => {
      const { id } = await connections.create(input())
      const error = await errorOf(() => connections.update(id, input({ baseUrl, accessKey: undefined }), administrator))
      expect(error).toMatchObject({ code: 'invalid', fields: [{ path: 'accessKey' }] })
      expect(
        (await errorOf(() => connections.draft(input({ baseUrl, accessKey: undefined }), administrator, id))).code,
      ).toBe('invalid')
      expect(connections.open(id).baseUrl).toBe('https://one.example')
    },
  )

  test('accepts a new address with a new secret', async () => {
    const { id } = await connections.create(input())
    await connections.update(
      id,
      input({ baseUrl: 'https://two.example', accessKey: 'another-key-entered' }),
      administrator,
    )
    expect(connections.open(id)).toMatchObject({
      baseUrl: 'https://two.example',
      authorization: 'Bearer another-key-entered',
    })
  })

  test('removes the secret of the other variant', async () => {
    const { id } = await connections.create(input())
    await connections.update(
      id,
      input({ variant: 'managed', organizationId, serviceId, accessKey: undefined }),
      administrator,
    )
    expect(connections.open(id).authorization).toBeUndefined()
    await connections.update(id, input({ accessKey: undefined }), administrator)
    expect(connections.open(id).authorization).toBeUndefined()
  })

  test('reports a deleted connection', async () => {
    const { id } = await connections.create(input())
    await connections.delete(id)
    expect((await errorOf(() => connections.update(id, input(), administrator))).code).toBe('notFound')
    expect((await errorOf(() => connections.open(id))).code).toBe('notFound')
  })

  test('a draft uses the stored secret and is not saved', async () => {
    const { id } = await connections.create(input())
    const before = await stored()
    expect(connections.draft(input({ accessKey: undefined }), administrator, id).authorization).toBe(
      `Bearer ${secrets.accessKey}`,
    )
    expect(connections.draft(input({ accessKey: undefined }), administrator).authorization).toBeUndefined()
    expect(await stored()).toBe(before)
  })
})

describe('an editor who is not administrator of the console', () => {
  const local = { administers: false }
  const managed = { variant: 'managed', organizationId, serviceId, keyId: 'k', keySecret: 'secret-of-the-key' } as const
  const here = { ...managed, baseUrl: 'http://127.0.0.1:8000', allowPrivate: true, accessKey: undefined }

  test('cannot allow private addresses, in a save or a test', async () => {
    const { id } = await connections.create(input())
    const wanted = input({ allowPrivate: true })
    const field = { code: 'forbidden', fields: [{ path: 'allowPrivate' }] }
    expect(await errorOf(() => connections.update(id, wanted, local))).toMatchObject(field)
    expect(await errorOf(() => connections.draft(wanted, local, id))).toMatchObject(field)
    expect(connections.open(id).allowPrivate).toBe(false)
  })

  test.each<Partial<ConnectionInput>>([
    { baseUrl: 'http://127.0.0.1:8000/prefix' },
    { baseUrl: 'http://127.0.0.1:9000' },
    { organizationId: 'other' },
    { serviceId: 'other' },
    { naming: 'clickhouse' },
    { variant: 'openSource', accessKey: 'another-key' },
  ])('cannot change where requests to private addresses go: %j', async (change) => {
    const { id } = await connections.create(input(here))
    const wanted = input({ ...here, ...change })
    expect(await errorOf(() => connections.update(id, wanted, local))).toMatchObject({ code: 'forbidden' })
    expect(await errorOf(() => connections.draft(wanted, local, id))).toMatchObject({ code: 'forbidden' })
    expect((await connections.update(id, wanted, administrator)).id).toBe(id)
  })

  test('can rename such a connection, and change where it leads once it reaches public addresses only', async () => {
    const { id } = await connections.create(input(here))
    expect((await connections.update(id, input({ ...here, name: 'Other' }), local)).name).toBe('Other')
    const elsewhere = input({ ...here, baseUrl: 'https://two.example', allowPrivate: false })
    expect(await connections.update(id, elsewhere, local)).toMatchObject({ baseUrl: 'https://two.example' })
  })
})

describe('a rotated key', () => {
  const rotated = 'rotated-access-key-0d6f7f6f'

  test('is given to each connection to the address that had the old one', async () => {
    const [first, second] = [await connections.create(input()), await connections.create(input({ name: 'Second' }))]
    const otherKey = await connections.create(input({ accessKey: 'another-access-key-77' }))
    const elsewhere = await connections.create(input({ baseUrl: 'https://two.example' }))
    await connections.replaceAccessKey(connections.open(first.id), rotated)
    for (const store of [connections, await open()]) {
      const keys = [first, second, otherKey, elsewhere].map(({ id }) => store.open(id).authorization)
      expect(keys).toEqual([
        `Bearer ${rotated}`,
        `Bearer ${rotated}`,
        'Bearer another-access-key-77',
        `Bearer ${secrets.accessKey}`,
      ])
    }
    expect(connections.list().find(({ id }) => id === first.id)).toMatchObject({ secretEnd: rotated.slice(-4) })
    expect(await stored()).not.toContain(rotated)
  })

  test('of a seed does not bring back a deleted connection', async () => {
    const seeds = seedsTo('http://127.0.0.1:8000')
    await connections.seed(seeds)
    await connections.delete('oss')
    await connections.seed(seeds, 'existing')
    expect(connections.list().map(({ id }) => id)).not.toContain('oss')
  })

  test('is used although it could not be stored, and is stored with the next change', async () => {
    const { id } = await connections.create(input())
    let fails = true
    const full: Database = {
      ...database,
      transact: (work) => (fails ? Promise.reject(new Error('The disk is full.')) : database.transact(work)),
    }
    const keys = await openKeys({ database, dataDir })
    const list = await SharedList.open({ database: full, table: 'connections', schema: connectionRecord })
    const limited = new Connections(list, keys)
    await expect(limited.replaceAccessKey(limited.open(id), rotated)).rejects.toThrow('The disk is full.')
    expect(limited.open(id).authorization).toBe(`Bearer ${rotated}`)
    expect(connections.open(id).authorization).toBe(`Bearer ${secrets.accessKey}`)
    fails = false
    await limited.create(input({ name: 'Next' }))
    expect((await open()).open(id).authorization).toBe(`Bearer ${rotated}`)
  })
})

describe('seeded connections', () => {
  test('are created once, follow the stack, and keep the user’s changes', async () => {
    await connections.seed(seedsTo('http://127.0.0.1:8000'))
    const before = await stored()
    await connections.seed(seedsTo('http://127.0.0.1:8000'))
    expect(await stored()).toBe(before)
    await connections.update(
      'oss',
      input({ name: 'Mine', baseUrl: 'http://127.0.0.1:8000', accessKey: undefined, readOnly: true }),
      administrator,
    )
    await connections.seed(seedsTo('http://127.0.0.1:9000'))
    const shown = connections.list().find(({ id }) => id === 'oss')
    expect(shown).toMatchObject({ name: 'Mine', readOnly: true, baseUrl: 'http://127.0.0.1:9000' })
    expect(connections.open('oss').authorization).toBe(`Bearer ${secrets.accessKey}`)
  })

  test('are not taken from other consoles, unless none is left', async () => {
    const [stack, another] = [seedsTo('http://127.0.0.1:8000'), seedsTo('http://127.0.0.1:9000')]
    const unasked = () => Promise.reject(new Error('asked'))
    expect(await seedConnections({ connections, database }, stack, unasked)).toBe('followed')
    expect(await seedConnections({ connections, database }, stack, unasked), 'of a stack with the same records').toBe(
      'followed',
    )
    const before = await stored()
    expect(await seedConnections({ connections, database }, another, async () => true)).toBe('kept')
    expect(await stored()).toBe(before)
    expect(await seedConnections({ connections, database }, another, async () => false)).toBe('followed')
    expect(connections.list().find(({ id }) => id === 'oss')?.baseUrl).toBe('http://127.0.0.1:9000')
  })
})

describe('temporary connections', () => {
  const alone = async () => false
  const start = (seeds: Seed[]) => seedConnections({ connections, database }, seeds, alone)
  const address = () => connections.list().find(({ id }) => id === 'passing')?.baseUrl
  const passing = (port: number): Seed[] => [
    ...seedsTo(`http://127.0.0.1:${port}`),
    {
      id: 'passing',
      name: 'Passing',
      variant: 'openSource',
      baseUrl: `http://127.0.0.1:${port}/staging`,
      allowPrivate: true,
      accessKey: secrets.accessKey,
      temporary: true,
    },
  ]

  test('follow their address, and go when they are no seeds any more', async () => {
    await start(passing(8000))
    await start(passing(9000))
    expect(address()).toBe('http://127.0.0.1:9000/staging')
    await start([])
    expect(address(), 'a start without a stack').toBe('http://127.0.0.1:9000/staging')
    expect(await followSeeds({ connections, database }, seedsTo('http://127.0.0.1:9000'))).toEqual(['passing'])
    expect(address()).toBeUndefined()
    await start(passing(9000))
    expect(address(), 'of another sample').toBe('http://127.0.0.1:9000/staging')
  })

  test('do not come back once they were deleted, and stay where a person led them', async () => {
    await start(passing(8000))
    await connections.delete('passing')
    await start(passing(8000))
    await followSeeds({ connections, database }, passing(8000))
    expect(address()).toBeUndefined()

    await start(seedsTo('http://127.0.0.1:8000'))
    await start(passing(8000))
    const { accessKey } = secrets
    await connections.update('passing', input({ baseUrl: 'https://staging.example', accessKey }), administrator)
    await start(passing(8000))
    expect(address()).toBe('https://staging.example')
    expect(await followSeeds({ connections, database }, seedsTo('http://127.0.0.1:8000'))).toEqual([])
    expect(address()).toBe('https://staging.example')
  })
})

describe('connection addresses', () => {
  test.each([
    ['https://Host.Example', 'https://host.example'],
    ['https://host.example:443/', 'https://host.example'],
    ['http://host.example:8000/prefix/', 'http://host.example:8000/prefix'],
    ['http://0x7f.1:8000', 'http://127.0.0.1:8000'],
  ])('%s is %s', (entered, canonical) => expect(canonicalAddress(entered)).toBe(canonical))

  test.each([
    'https://user@host.example',
    'https://host.example@evil.example',
    'https://host.example/a/../b',
    'https://host.example/%2e%2e/b',
    'https://host.example//b',
    'https://host.example/a;b',
    'https://host:99999',
    'https://host.example?x',
    'https://host.example/#x',
    'https://[::1',
    'file:///etc/passwd',
    'nonsense',
    'https://host.example\\@evil.example',
    'https://host.example:0',
  ])('rejects %s', async (entered) => {
    expect(await errorOf(() => canonicalAddress(entered))).toMatchObject({
      code: 'invalid',
      fields: [{ path: 'baseUrl' }],
    })
  })
})
