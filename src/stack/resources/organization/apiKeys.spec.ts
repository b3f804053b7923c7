import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { hashOf } from '../../access/keyRows.ts'
import { firstStart } from '../../startup/firstStart.ts'
import { organizationClient, type OrganizationClient, type TestKey } from '../../testing/managedKeys.ts'
import { firstContent, startTestStack, type TestStack } from '../../testing/testStack.ts'

let stack: TestStack
let api: OrganizationClient
let admin: string
beforeAll(async () => {
  stack = await startTestStack()
  api = organizationClient(stack)
  admin = await api.roleId('Admin')
})
afterAll(() => stack.close())

const hour = 3_600_000
const inAnHour = () => new Date(currentTime() + hour).toISOString()

/** A key's response to a read that every role allows. */
async function use(key: Pick<TestKey, 'keyId' | 'keySecret'>) {
  const { status, json } = await api.call('GET', '', undefined, key)
  return [status, json.error]
}

test('the key of credentials.json is one of the keys, with the role Admin', async () => {
  const keys = await api.done('GET', '/keys')
  expect(keys[0]).toMatchObject({
    name: 'credentials.json',
    state: 'enabled',
    roles: ['admin'],
    assignedRoles: [{ roleId: admin, roleName: 'Admin', roleType: 'system' }],
    keySuffix: stack.identity.keyId.slice(-4),
    expireAt: null,
  })
  await firstStart(stack.store, firstContent)
  const again: { name: string }[] = await api.done('GET', '/keys')
  expect(again.filter(({ name }) => name === 'credentials.json')).toHaveLength(1)
})

describe('a new key', () => {
  test('returns ID and secret once, and stores neither', async () => {
    const { key, keyId, keySecret } = await api.done('POST', '/keys', { name: ' CI ', assignedRoleIds: [admin] })
    expect(key).toMatchObject({ name: 'CI', state: 'enabled', keySuffix: keyId.slice(-4), expireAt: null })
    expect(key.id).not.toBe(keyId)
    expect(await use({ keyId, keySecret })).toEqual([200, undefined])
    const read = await api.call('GET', `/keys/${key.id}`)
    const list = await api.call('GET', '/keys')
    const rows = JSON.stringify(await stack.store.rows('SELECT document FROM api_keys'))
    for (const text of [read.text, list.text, rows]) {
      expect(text).not.toContain(keyId)
      expect(text).not.toContain(keySecret)
    }
    expect(read.text).not.toContain(hashOf(keySecret))
    expect(rows).toContain(hashOf(keySecret))
  })

  test('may have the hashes of an ID and a secret that the client made', async () => {
    const own = { keyId: 'my-own-key-id', keySecret: 'my own secret: with colons' }
    const hashData = { keyIdHash: hashOf(own.keyId), keyIdSuffix: 'y-id', keySecretHash: hashOf(own.keySecret) }
    const created = await api.done('POST', '/keys', { name: 'Own', assignedRoleIds: [admin], hashData })
    expect(created).toEqual({ key: expect.objectContaining({ keySuffix: 'y-id' }) })
    expect(await use(own)).toEqual([200, undefined])
    expect(await use({ ...own, keySecret: hashData.keySecretHash })).toEqual([401, 'UNAUTHORIZED: Invalid credentials'])
    const twice = await api.call('POST', '/keys', { name: 'Twice', hashData })
    expect(twice.json).toMatchObject({ status: 400, error: expect.stringContaining('already exists') })
  })

  test('takes the roles of old clients', async () => {
    const { key } = await api.done('POST', '/keys', { name: 'Old', roles: ['developer'] })
    expect(key).toMatchObject({ roles: ['developer'], assignedRoles: [{ roleName: 'Developer' }] })
  })

  test.each<[string, object, string]>([
    ['no name', {}, 'request body.name: '],
    ['an empty name', { name: ' ' }, 'request body.name: '],
    ['an unknown field', { name: 'k', secret: 's' }, "can't be validated: secret"],
    ['an unknown state', { name: 'k', state: 'paused' }, 'request body.state: '],
    ['a date without time', { name: 'k', expireAt: '2026-01-01' }, 'request body.expireAt: '],
    ['no address', { name: 'k', ipAccessList: [{ source: 'home' }] }, 'request body.ipAccessList.0.source: '],
    [
      'too wide a range',
      { name: 'k', ipAccessList: [{ source: '10.0.0.0/33' }] },
      'request body.ipAccessList.0.source',
    ],
    ['a role that does not exist', { name: 'k', assignedRoleIds: [crypto.randomUUID()] }, 'does not exist'],
    ['a hash of another length', { name: 'k', hashData: { keyIdHash: 'a' } }, 'request body.hashData.keyIdHash: '],
  ])('is refused with %s', async (_, body, error) => {
    const answer = await api.call('POST', '/keys', body)
    expect(answer.json).toMatchObject({ status: 400, error: expect.stringContaining(error) })
  })
})

describe('is refused with its reason', () => {
  test('while it is disabled', async () => {
    const key = await api.key({ assignedRoleIds: [admin] })
    await api.done('PATCH', `/keys/${key.id}`, { state: 'disabled' })
    expect(await use(key)).toEqual([401, 'UNAUTHORIZED: This API key is disabled'])
    expect(await use({ ...key, keySecret: 'x' })).toEqual([401, 'UNAUTHORIZED: Invalid credentials'])
    await api.done('PATCH', `/keys/${key.id}`, { state: 'enabled' })
    expect(await use(key)).toEqual([200, undefined])
  })

  test('once it has expired: a time in the past ends it at once', async () => {
    const key = await api.key({ assignedRoleIds: [admin], expireAt: inAnHour() })
    expect(await use(key)).toEqual([200, undefined])
    const changed = await api.done('PATCH', `/keys/${key.id}`, { expireAt: '2020-01-01T01:00:00+01:00' })
    expect(changed.expireAt).toBe('2020-01-01T00:00:00.000Z')
    expect(await use(key)).toEqual([401, 'UNAUTHORIZED: This API key expired at 2020-01-01T00:00:00.000Z'])
    // Omitted fields stay, null clears.
    expect((await api.done('PATCH', `/keys/${key.id}`, { name: 'Renamed' })).expireAt).toBe(changed.expireAt)
    expect((await api.done('PATCH', `/keys/${key.id}`, { expireAt: null })).expireAt).toBeNull()
    expect(await use(key)).toEqual([200, undefined])
  })

  test('once it is deleted', async () => {
    const key = await api.key({ assignedRoleIds: [admin] })
    const deleted = await api.call('DELETE', `/keys/${key.id}`)
    expect(deleted.json).toEqual({ status: 200, requestId: expect.any(String) })
    expect(await use(key)).toEqual([401, 'UNAUTHORIZED: Invalid credentials'])
    expect((await api.call('GET', `/keys/${key.id}`)).json.error).toBe(`NOT_FOUND: ${key.id}`)
    expect((await api.call('DELETE', `/keys/${key.id}`)).status).toBe(404)
  })

  test('from an address that is not in its list', async () => {
    const key = await api.key({ assignedRoleIds: [admin], ipAccessList: [{ source: '10.0.0.0/8' }] })
    const refused = [403, 'FORBIDDEN: The IP access list of this API key does not have the address 127.0.0.1']
    expect(await use(key)).toEqual(refused)
    const listed = [{ source: '127.0.0.1', description: 'here' }]
    expect((await api.done('PATCH', `/keys/${key.id}`, { ipAccessList: listed })).ipAccessList).toEqual(listed)
    expect(await use(key)).toEqual([200, undefined])
    await api.done('PATCH', `/keys/${key.id}`, { ipAccessList: [] })
    expect(await use(key)).toEqual(refused)
  })

  test('from an address that is not in its list, also behind a proxy', async () => {
    const behind = await startTestStack({ proxyAddresses: ['127.0.0.1'] })
    try {
      const client = organizationClient(behind)
      const key = await client.key({
        assignedRoleIds: [await client.roleId('Admin')],
        ipAccessList: [{ source: '203.0.113.0/24' }],
      })
      const authorization = `Basic ${Buffer.from(`${key.keyId}:${key.keySecret}`).toString('base64')}`
      const statusFrom = async (chain: string) => {
        const headers = { authorization, 'x-forwarded-for': chain }
        return (await fetch(`${behind.url}/v1/organizations/${behind.identity.organizationId}`, { headers })).status
      }
      expect(await statusFrom('203.0.113.7')).toBe(200)
      expect(await statusFrom('198.51.100.7')).toBe(403)
      // Values that the client invents do not count.
      expect(await statusFrom('203.0.113.7, 198.51.100.7')).toBe(403)
    } finally {
      await behind.close()
    }
  })

  test('without the permission', async () => {
    const key = await api.key()
    expect(await use(key)).toEqual([
      403,
      'FORBIDDEN: This API key lacks the permission control-plane:organization:view',
    ])
  })
})

test('the last use is kept to the minute', async () => {
  const key = await api.key({ assignedRoleIds: [admin] })
  expect(await api.done('GET', `/keys/${key.id}`)).not.toHaveProperty('usedAt')
  const before = currentTime()
  await use(key)
  const usedAt = async () => (await api.done('GET', `/keys/${key.id}`)).usedAt
  await expect.poll(usedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/)
  const read = Date.parse(await usedAt())
  expect(read).toBeGreaterThan(before - 60_000)
  expect(read).toBeLessThanOrEqual(currentTime())
})

test('a key cannot delete itself', async () => {
  const key = await api.key({ assignedRoleIds: [admin] })
  const answer = await api.call('DELETE', `/keys/${key.id}`, undefined, key)
  expect(answer.json).toMatchObject({ status: 400, error: expect.stringContaining('cannot delete itself') })
  expect(await use(key)).toEqual([200, undefined])
})

test('the last usable key with the role Admin stays usable', async () => {
  const own = await startTestStack()
  try {
    const { call, done } = organizationClient(own)
    const [first] = await done('GET', '/keys')
    const changes = [
      { state: 'disabled' },
      { expireAt: '2020-01-01T00:00:00Z' },
      { assignedRoleIds: [] },
      { ipAccessList: [] },
    ]
    for (const change of changes) expect((await call('PATCH', `/keys/${first.id}`, change)).status).toBe(409)
    expect((await call('PATCH', `/roles/${admin}`, { actors: [] })).status).toBe(409)
    expect((await done('GET', '/keys'))[0]).toEqual({ ...first, usedAt: expect.any(String) })
  } finally {
    await own.close()
  }
})

test('has at most 100 keys', async () => {
  const own = await startTestStack()
  try {
    const { call, key } = organizationClient(own)
    for (let count = 1; count < 100; count++) await key()
    expect((await call('POST', '/keys', { name: 'One more' })).json).toMatchObject({
      status: 400,
      error: expect.stringContaining('at most 100'),
    })
  } finally {
    await own.close()
  }
})
