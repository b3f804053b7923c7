import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { connection, connectionInput, type ConnectionInput } from '#contract/connections.ts'
import { canonicalAddress, Connections } from './connections.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { UnusableState } from '#node/stateFile.ts'
import { organizationId, seedsTo, secrets, serviceId } from '../testing/testGateway.ts'
import { openKey } from '#node/vault.ts'

let dataDir: string
let connections: Connections

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'connections-'))
  connections = open()
})

const open = () => new Connections(dataDir, openKey(dataDir))
const stored = () => readFileSync(join(dataDir, 'connections.json'), 'utf8')

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

function errorOf(action: () => unknown) {
  try {
    action()
  } catch (error) {
    if (error instanceof ApiFailure) return error.error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('connection store', () => {
  test('encrypts a secret on disk and never returns it', () => {
    const shown = connections.create(input())
    expect(connection.parse(shown)).toEqual(shown)
    expect(shown.secretEnd).toBe(secrets.accessKey.slice(-4))
    expect(JSON.stringify(connections.list())).not.toContain(secrets.accessKey)
    expect(stored()).not.toContain(secrets.accessKey)
    expect(statSync(join(dataDir, 'connections.json')).mode & 0o777).toBe(0o600)
    expect(connections.open(shown.id).authorization).toBe(`Bearer ${secrets.accessKey}`)
  })

  test('keeps connections over a restart', () => {
    const shown = connections.create(input())
    expect(open().list()).toEqual([shown])
    expect(open().open(shown.id).authorization).toBe(`Bearer ${secrets.accessKey}`)
  })

  test('does not show the end of a short secret', () => {
    expect(connections.create(input({ accessKey: 'short' })).secretEnd).toBeUndefined()
  })

  test('sends ID and secret as Basic to the managed variant', () => {
    const { id } = connections.create(
      input({ variant: 'managed', organizationId, serviceId, keyId: 'me', keySecret: 'it', accessKey: undefined }),
    )
    expect(connections.open(id).authorization).toBe(`Basic ${Buffer.from('me:it').toString('base64')}`)
  })

  test('a damaged secret disables only its connection, and can be entered again', () => {
    const damaged = connections.create(input())
    const sound = connections.create(input({ name: 'Other' }))
    const state = JSON.parse(stored())
    const [first] = state.connections
    first.sealed.accessKey = state.connections[1].sealed.accessKey
    writeFileSync(join(dataDir, 'connections.json'), JSON.stringify(state))
    const reopened = open()
    expect(reopened.list()).toHaveLength(2)
    expect(errorOf(() => reopened.open(damaged.id))).toMatchObject({ code: 'keyRejected' })
    expect(reopened.open(sound.id).authorization).toContain(secrets.accessKey)
    reopened.update(damaged.id, input())
    expect(reopened.open(damaged.id).authorization).toContain(secrets.accessKey)
  })

  test('does not send the key to an address that was changed on disk', () => {
    const { id } = connections.create(input())
    writeFileSync(join(dataDir, 'connections.json'), stored().replace('one.example', 'evil.example'))
    expect(errorOf(() => open().open(id))).toMatchObject({ code: 'keyRejected' })
  })

  test('names a damaged file and does not overwrite it', () => {
    connections.create(input())
    writeFileSync(join(dataDir, 'connections.json'), '{"connections": [')
    expect(open).toThrow(UnusableState)
    expect(open).toThrow(/^\S+connections\.json is damaged\. [^\n]*$/)
    expect(stored()).toBe('{"connections": [')
  })
})

describe('update of a connection', () => {
  test('keeps the secret if it is omitted', () => {
    const { id } = connections.create(input())
    const shown = connections.update(id, input({ name: 'Renamed', accessKey: undefined }))
    expect(shown.name).toBe('Renamed')
    expect(connections.open(id).authorization).toBe(`Bearer ${secrets.accessKey}`)
  })

  test.each(['https://two.example', 'http://one.example', 'https://one.example:8443', 'https://one.example/prefix'])(
    'does not send the stored secret to %s',
    (baseUrl) => {
      const { id } = connections.create(input())
      const error = errorOf(() => connections.update(id, input({ baseUrl, accessKey: undefined })))
      expect(error).toMatchObject({ code: 'invalid', fields: [{ path: 'accessKey' }] })
      expect(errorOf(() => connections.draft(input({ baseUrl, accessKey: undefined }), id)).code).toBe('invalid')
      expect(connections.open(id).baseUrl).toBe('https://one.example')
    },
  )

  test('accepts a new address with a new secret', () => {
    const { id } = connections.create(input())
    connections.update(id, input({ baseUrl: 'https://two.example', accessKey: 'another-key-entered' }))
    expect(connections.open(id)).toMatchObject({
      baseUrl: 'https://two.example',
      authorization: 'Bearer another-key-entered',
    })
  })

  test('removes the secret of the other variant', () => {
    const { id } = connections.create(input())
    connections.update(id, input({ variant: 'managed', organizationId, serviceId, accessKey: undefined }))
    expect(connections.open(id).authorization).toBeUndefined()
    connections.update(id, input({ accessKey: undefined }))
    expect(connections.open(id).authorization).toBeUndefined()
  })

  test('reports a deleted connection', () => {
    const { id } = connections.create(input())
    connections.delete(id)
    expect(errorOf(() => connections.update(id, input())).code).toBe('notFound')
    expect(errorOf(() => connections.open(id)).code).toBe('notFound')
  })

  test('a draft uses the stored secret and is not saved', () => {
    const { id } = connections.create(input())
    const before = stored()
    expect(connections.draft(input({ accessKey: undefined }), id).authorization).toBe(`Bearer ${secrets.accessKey}`)
    expect(connections.draft(input({ accessKey: undefined })).authorization).toBeUndefined()
    expect(stored()).toBe(before)
  })
})

describe('a rotated key', () => {
  const rotated = 'rotated-access-key-0d6f7f6f'

  test('is given to each connection to the address that had the old one', () => {
    const [first, second] = [connections.create(input()), connections.create(input({ name: 'Second' }))]
    const otherKey = connections.create(input({ accessKey: 'another-access-key-77' }))
    const elsewhere = connections.create(input({ baseUrl: 'https://two.example' }))
    connections.replaceAccessKey(connections.open(first.id), rotated)
    for (const store of [connections, open()]) {
      const keys = [first, second, otherKey, elsewhere].map(({ id }) => store.open(id).authorization)
      expect(keys).toEqual([
        `Bearer ${rotated}`,
        `Bearer ${rotated}`,
        'Bearer another-access-key-77',
        `Bearer ${secrets.accessKey}`,
      ])
    }
    expect(connections.list().find(({ id }) => id === first.id)).toMatchObject({ secretEnd: rotated.slice(-4) })
    expect(stored()).not.toContain(rotated)
  })

  test('of a seed does not bring back a deleted connection', () => {
    const seeds = seedsTo('http://127.0.0.1:8000')
    connections.seed(seeds)
    connections.delete('oss')
    connections.seed(seeds, 'existing')
    expect(connections.list().map(({ id }) => id)).not.toContain('oss')
  })
})

describe('seeded connections', () => {
  test('are created once, follow the stack, and keep the user’s changes', () => {
    connections.seed(seedsTo('http://127.0.0.1:8000'))
    const before = stored()
    connections.seed(seedsTo('http://127.0.0.1:8000'))
    expect(stored()).toBe(before)
    connections.update(
      'oss',
      input({ name: 'Mine', baseUrl: 'http://127.0.0.1:8000', accessKey: undefined, readOnly: true }),
    )
    connections.seed(seedsTo('http://127.0.0.1:9000'))
    const shown = connections.list().find(({ id }) => id === 'oss')
    expect(shown).toMatchObject({ name: 'Mine', readOnly: true, baseUrl: 'http://127.0.0.1:9000' })
    expect(connections.open('oss').authorization).toBe(`Bearer ${secrets.accessKey}`)
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
  ])('rejects %s', (entered) => {
    expect(errorOf(() => canonicalAddress(entered))).toMatchObject({ code: 'invalid', fields: [{ path: 'baseUrl' }] })
  })
})
