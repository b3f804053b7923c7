/** A key with fewer permissions tries to get more: by keys, by roles, by members, and by what others have. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { backupRows } from '../../backups/backupRows.ts'
import { organizationClient, type OrganizationClient, type TestKey } from '../../testing/managedKeys.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'

let stack: TestStack
let api: OrganizationClient
let admin: string
let member: string
let organization: string
/** May manage keys, roles and members, but change nothing else. */
let attacker: TestKey & { roleId: string }

const managing = [
  'control-plane:organization:view',
  'control-plane:organization:manage-api-keys',
  'control-plane:organization:manage-roles',
  'control-plane:organization:manage-members',
  'control-plane:service:view',
]

beforeAll(async () => {
  stack = await startTestStack()
  api = organizationClient(stack)
  admin = await api.roleId('Admin')
  member = await api.roleId('Member')
  organization = `organization/${stack.identity.organizationId}`
  attacker = await api.keyWith(managing)
})
afterAll(() => stack.close())

async function refused(method: string, path: string, body?: unknown, key: TestKey = attacker) {
  const answer = await api.call(method, path, body, key)
  expect(answer.json).toMatchObject({
    status: 403,
    error: expect.stringContaining('cannot grant or change access beyond its own'),
  })
}

async function allowed(method: string, path: string, body?: unknown, key: TestKey = attacker) {
  const answer = await api.call(method, path, body, key)
  expect(answer.json).toMatchObject({ status: 200 })
  return answer.json.result
}

const allow = (permissions: string[], resources: string[]) => ({ allowDeny: 'ALLOW', permissions, resources })
const everything = () => [allow(['control-plane:organization:manage'], [organization])]
const roleNamed = (name: string, policies: object[], actors: string[] = []) => ({ name, actors, policies })

describe('by keys', () => {
  test('makes no key with more', async () => {
    await refused('POST', '/keys', { name: 'More', assignedRoleIds: [admin] })
    await refused('POST', '/keys', { name: 'More', roles: ['admin'] })
    await refused('POST', '/keys', { name: 'More', assignedRoleIds: [attacker.roleId, admin] })
    await allowed('POST', '/keys', { name: 'Same', assignedRoleIds: [attacker.roleId] })
  })

  test('gives no key more, itself included', async () => {
    const other = await api.key()
    await refused('PATCH', `/keys/${other.id}`, { assignedRoleIds: [admin] })
    await refused('PATCH', `/keys/${attacker.id}`, { assignedRoleIds: [attacker.roleId, admin] })
    await allowed('PATCH', `/keys/${other.id}`, { assignedRoleIds: [member] })
  })

  test('ends, opens or deletes no key that has more', async () => {
    const strong = await api.key({ assignedRoleIds: [admin] })
    await refused('PATCH', `/keys/${strong.id}`, { state: 'disabled' })
    await refused('PATCH', `/keys/${strong.id}`, { expireAt: '2020-01-01T00:00:00Z' })
    await refused('PATCH', `/keys/${strong.id}`, { ipAccessList: [] })
    await refused('PATCH', `/keys/${strong.id}`, { assignedRoleIds: [] })
    await refused('DELETE', `/keys/${strong.id}`)
  })

  test('creating keys is not changing them', async () => {
    const creator = await api.keyWith(['control-plane:organization:create-api-keys'])
    const other = await api.key()
    expect((await api.call('PATCH', `/keys/${other.id}`, { name: 'x' }, creator)).status).toBe(403)
    expect((await api.call('DELETE', `/keys/${other.id}`, undefined, creator)).status).toBe(403)
    await allowed('POST', '/keys', { name: 'Same', assignedRoleIds: [creator.roleId] }, creator)
  })
})

describe('by roles', () => {
  test('makes no role with more, on no more resources', async () => {
    await refused('POST', '/roles', roleNamed('More', everything()))
    await refused('POST', '/roles', roleNamed('Services', [allow(['control-plane:service:manage'], ['instance/*'])]))
    const own = await api.keyWith([...managing], [organization, `instance/${stack.identity.serviceId}`])
    await refused('POST', '/roles', roleNamed('All', [allow(['control-plane:service:view'], ['instance/*'])]), own)
    const one = allow(['control-plane:service:view'], [`instance/${stack.identity.serviceId}`])
    await allowed('POST', '/roles', roleNamed('One', [one]), own)
  })

  test('changes no role to more: not its own either', async () => {
    await refused('PATCH', `/roles/${attacker.roleId}`, { policies: everything() })
    const strong = await api.keyWith(['control-plane:organization:manage'])
    await refused('PATCH', `/roles/${strong.roleId}`, { name: 'Weaker' })
    await refused('PATCH', `/roles/${strong.roleId}`, { policies: [] })
    await refused('DELETE', `/roles/${strong.roleId}`)
  })

  test('takes no place among those that have a role', async () => {
    await refused('PATCH', `/roles/${admin}`, { actors: [`apiKey/${attacker.id}`] })
    const strong = await api.keyWith(['control-plane:organization:manage'])
    await refused('PATCH', `/roles/${strong.roleId}`, { actors: [`apiKey/${strong.id}`, `apiKey/${attacker.id}`] })
    const [keys] = [await api.done('GET', '/keys')]
    await refused('PATCH', `/roles/${attacker.roleId}`, { actors: [`apiKey/${keys[0].id}`] })
  })

  test('lifts no denial: of its own roles, or those of others', async () => {
    const deny = { allowDeny: 'DENY', permissions: ['control-plane:service:view'], resources: ['instance/*'] }
    const denial = await api.done('POST', '/roles', roleNamed('No services', [deny]))
    const limited = await api.key({ assignedRoleIds: [attacker.roleId, denial.id] })
    expect((await api.call('GET', '/prometheus', undefined, limited)).status).toBe(403)
    const lifts: [string, string, object?][] = [
      ['PATCH', `/keys/${limited.id}`, { assignedRoleIds: [attacker.roleId] }],
      ['POST', '/keys', { name: 'Free', assignedRoleIds: [attacker.roleId] }],
      ['PATCH', `/roles/${denial.id}`, { policies: [] }],
      ['PATCH', `/roles/${denial.id}`, { actors: [] }],
      ['DELETE', `/roles/${denial.id}`],
    ]
    for (const [method, path, body] of lifts) await refused(method, path, body, limited)
  })
})

describe('by members', () => {
  test('invites nobody with more, and gives nobody more', async () => {
    await refused('POST', '/invitations', { email: 'a@example.com', assignedRoleIds: [admin] })
    await refused('POST', '/invitations', { email: 'a@example.com', role: 'admin' })
    await allowed('POST', '/invitations', { email: 'b@example.com', assignedRoleIds: [member] })
    const [owner] = await api.done('GET', '/members')
    await refused('PATCH', `/members/${owner.userId}`, { assignedRoleIds: [] })
    await refused('DELETE', `/members/${owner.userId}`)
  })
})

test('restores no backup that it may not read', async () => {
  const { serviceId } = stack.identity
  const backup = { id: randomUUID(), serviceId, status: 'done', startedAt: currentIsoTime() }
  await backupRows.insert(stack.store, backup)
  const own = await api.done('GET', `/services/${serviceId}`)
  const body = { name: 'Copy', provider: own.provider, region: own.region, ipAccessList: [], backupId: backup.id }
  const managingServices = ['control-plane:service:view', 'control-plane:service:manage']
  const without = await api.call('POST', '/services', body, await api.keyWith(managingServices))
  expect(without.json).toMatchObject({
    status: 403,
    error: expect.stringContaining('control-plane:service:view-backups'),
  })
  const reader = await api.keyWith([...managingServices, 'control-plane:service:view-backups'])
  await allowed('POST', '/services', body, reader)
})

test('a key that loses its role loses what it could do with the next request', async () => {
  const key = await api.keyWith(['control-plane:organization:view'])
  await allowed('GET', '', undefined, key)
  await api.done('DELETE', `/roles/${key.roleId}`)
  expect((await api.call('GET', '', undefined, key)).status).toBe(403)
})
