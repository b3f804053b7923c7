/** Every endpoint of the managed variant refuses a key without its permission, and only that. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { fillPath, pathTemplate, type Endpoint } from '#contract/wire/kernel.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { permissions } from '#contract/cloud/organization/roles.ts'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'
import { organizationClient, type OrganizationClient, type TestKey } from '../testing/managedKeys.ts'
import { permissionOf } from './endpointPermissions.ts'

const names = namingProfiles.clickhouse
let stack: TestStack
let api: OrganizationClient
/** The endpoints that the stack answers on this variant. */
const served: Endpoint[] = []
beforeAll(async () => {
  stack = await startTestStack({ names })
  api = organizationClient(stack)
  for (const endpoint of endpoints) {
    const { headers } = await send(endpoint, stack.identity)
    if (!headers.get('content-type')?.startsWith('text/html')) served.push(endpoint)
  }
})
afterAll(() => stack.close())

const uuid = '00000000-0000-4000-8000-000000000000'
const uuids = [
  'apiKeyId',
  'userId',
  'invitationId',
  'roleId',
  'activityId',
  'dataPipeId',
  'backupId',
  'reverseEndpointId',
]

async function send(endpoint: Endpoint, key: Pick<TestKey, 'keyId' | 'keySecret'>) {
  const template = pathTemplate(endpoint, 'managed', names) ?? ''
  const { organizationId, serviceId } = stack.identity
  const ids = Object.fromEntries(
    [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, uuids.includes(name) ? uuid : 'a'.repeat(24)]),
  )
  return stack.send(endpoint.method, fillPath(template, { ...ids, organizationId, serviceId }), {
    // A body that every schema refuses: nothing is changed, and permissions come before validation.
    ...(endpoint.method !== 'GET' && { body: { nothing: true } }),
    headers: { authorization: basic(key.keyId, key.keySecret) },
  })
}

/** Lists that have what the key may see, instead of a 403. */
const filtered = ['services.list']
/** Every key may ask who it is. */
const open = ['identities.whoami']
const nameOf = ({ resource, verb }: Endpoint) => `${resource}.${verb}`

test('a key without roles gets nothing', async () => {
  const key = await api.key()
  for (const endpoint of served) {
    const answer = await send(endpoint, key)
    if (filtered.includes(nameOf(endpoint))) expect(answer.json.result).toEqual([])
    else {
      const expected = open.includes(nameOf(endpoint)) ? 200 : 403
      expect([nameOf(endpoint), answer.status]).toEqual([nameOf(endpoint), expected])
    }
  }
  // All of the managed variants of the contract, and those beyond.
  const managed = endpoints.filter(({ variants }) => variants.includes('managed')).map(nameOf)
  expect(served.map(nameOf)).toEqual(expect.arrayContaining(managed))
})

describe.each(permissions)('a key with only %s', (permission) => {
  test('passes where that is needed, and nowhere else', async () => {
    const key = await api.keyWith([permission])
    for (const endpoint of served) {
      if ([...filtered, ...open].includes(nameOf(endpoint))) continue
      const { status } = await send(endpoint, key)
      const implied = implies(permission, permissionOf(endpoint))
      expect([nameOf(endpoint), status !== 403]).toEqual([nameOf(endpoint), implied])
    }
  })
})

test('a permission to view or read allows no changes', () => {
  const changing = endpoints.filter(({ mutates }) => mutates)
  expect(changing.length).toBeGreaterThan(50)
  expect(changing.filter((endpoint) => /:(?:view|read)\b/.test(permissionOf(endpoint))).map(nameOf)).toEqual([])
})

/** The right to manage includes the right to view, and the right to manage keys that to create them. */
function implies(held: string, needed: string): boolean {
  const [subject, action = ''] = split(held)
  const [other, wanted = ''] = split(needed)
  if (subject !== other) return false
  if (held === needed) return true
  const [, what] = /^(?:manage|create)(-.+)?$/.exec(action) ?? []
  const isManaging = action === 'manage' || action === 'manage-api-keys' || action === 'manage-backups'
  if (wanted === `view${what ?? ''}` && (isManaging || action === 'create-api-keys')) return true
  return action === 'manage-api-keys' && wanted === 'create-api-keys'
}

function split(permission: string): [string, string | undefined] {
  const at = permission.lastIndexOf(':')
  return [permission.slice(0, at), permission.slice(at + 1)]
}

test('a key for one service sees only that service', async () => {
  const { serviceId } = stack.identity
  const own = await api.keyWith(['control-plane:service:view'], [`instance/${serviceId.toUpperCase()}`])
  const other = await api.keyWith(['control-plane:service:view'], [`instance/${uuid}`])
  const list = async (key: TestKey) =>
    (await api.call('GET', '/services', undefined, key)).json.result.map(({ id }: { id: string }) => id)
  expect(await list(own)).toEqual([serviceId])
  expect(await list(other)).toEqual([])
  expect((await api.call('GET', `/services/${serviceId}`, undefined, own)).status).toBe(200)
  expect((await api.call('GET', `/services/${serviceId}`, undefined, other)).json).toMatchObject({
    status: 403,
    error: `FORBIDDEN: This API key lacks the permission control-plane:service:view on the service ${serviceId}`,
  })
  expect((await api.call('GET', '/prometheus', undefined, own)).status).toBe(403)
})
