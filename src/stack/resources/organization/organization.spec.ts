/** Organization, roles, members, invitations, activity log and cost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '#contract/cloud/organization/roles.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { managedClientOf, pipeInputs } from '../../testing/managedClient.ts'
import { organizationClient, type OrganizationClient } from '../../testing/managedKeys.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'

let stack: TestStack
let api: OrganizationClient
let organization: string
beforeAll(async () => {
  stack = await startTestStack()
  api = organizationClient(stack)
  organization = `organization/${stack.identity.organizationId}`
})
afterAll(() => stack.close())

const uuid = '00000000-0000-4000-8000-000000000000'
const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

async function error(method: string, path: string, body?: unknown) {
  const { status, json } = await api.call(method, path, body)
  return [status, json.error]
}

describe('organization', () => {
  test('changes what is sent, and keeps the rest', async () => {
    const before = await api.done('GET', '')
    expect(before).toEqual({
      id: stack.identity.organizationId,
      name: 'Local organization',
      createdAt: time,
      privateEndpoints: [],
      byocConfig: [],
      enableCoreDumps: false,
    })
    const endpoint = { id: 'vpce-1', cloudProvider: 'aws', region: 'eu-central-1', description: 'VPC' }
    const changed = await api.done('PATCH', '', { name: 'Shop', privateEndpoints: { add: [endpoint] } })
    expect(changed).toEqual({ ...before, name: 'Shop', privateEndpoints: [endpoint] })
    expect(await api.done('PATCH', '', { privateEndpoints: { remove: [{ id: 'vpce-1' }] } })).toMatchObject({
      name: 'Shop',
      privateEndpoints: [],
    })
    expect(await error('PATCH', '', { name: '' })).toEqual([400, expect.stringContaining('request body.name: ')])
  })
})

const organizationId = () => stack.identity.organizationId

/** The key that `api` uses, and the IDs of its roles. */
async function ownKey(): Promise<{ id: string; roles: string[] }> {
  const keys: { id: string; keySuffix: string; assignedRoles: { roleId: string }[] }[] = await api.done('GET', '/keys')
  const own = keys.find(({ keySuffix }) => stack.identity.keyId.endsWith(keySuffix))
  if (!own) throw new Error('the first key is not listed')
  return { id: own.id, roles: own.assignedRoles.map(({ roleId }) => roleId) }
}

describe('roles', () => {
  const policies = () => [
    { allowDeny: 'ALLOW', permissions: ['control-plane:organization:view'], resources: [organization] },
    {
      allowDeny: 'DENY',
      permissions: ['sql-console:database:access'],
      resources: ['instance/*'],
      tags: { grants: ['readonly'], roleV2: 'sql-console-readonly' },
    },
  ]

  test('the system has its own, which cannot be changed', async () => {
    const roles = await api.done('GET', '/roles')
    const named = roles.map(({ name, type }: { name: string; type: string }) => [name, type])
    expect(named.slice(0, 3)).toEqual([
      ['Admin', 'system'],
      ['Developer', 'system'],
      ['Member', 'system'],
    ])
    const [admin] = roles
    expect(admin.policies.flatMap((policy: { permissions: string[] }) => policy.permissions)).toEqual(permissions)
    for (const [method, body] of [['PATCH', { name: 'Boss' }], ['PATCH', { policies: [] }], ['DELETE']] as const) {
      expect(await error(method, `/roles/${admin.id}`, body)).toEqual([400, expect.stringContaining('system role')])
    }
    // It can be given to others.
    const key = await api.key()
    const given = await api.done('PATCH', `/roles/${admin.id}`, { actors: [...admin.actors, `apiKey/${key.id}`] })
    expect(given.actors).toContain(`apiKey/${key.id}`)
    expect((await api.done('GET', `/keys/${key.id}`)).roles).toEqual(['admin'])
  })

  test('are created, read, changed and deleted', async () => {
    const key = await api.key()
    const actors = [`apiKey/${key.id}`]
    const created = await api.done('POST', '/roles', { name: 'Reader', actors, policies: policies() })
    expect(created).toEqual({
      id,
      tenantId: stack.identity.organizationId,
      ownerId: stack.identity.organizationId,
      name: 'Reader',
      type: 'custom',
      actors,
      policies: policies().map((policy) => ({
        ...policy,
        id,
        roleId: created.id,
        tenantId: stack.identity.organizationId,
      })),
      createdAt: time,
      updatedAt: time,
    })
    expect(await api.done('GET', `/roles/${created.id}`)).toEqual(created)
    expect((await api.done('GET', `/keys/${key.id}`)).assignedRoles).toEqual([
      { roleId: created.id, roleName: 'Reader', roleType: 'custom' },
    ])
    // A record that was read can be sent back.
    const changed = await api.done('PATCH', `/roles/${created.id}`, { actors: [], policies: created.policies })
    expect(changed).toMatchObject({ name: 'Reader', actors: [] })
    expect((await api.done('GET', `/keys/${key.id}`)).assignedRoles).toEqual([])
    await api.done('PATCH', `/keys/${key.id}`, { assignedRoleIds: [created.id.toUpperCase()] })
    await api.done('DELETE', `/roles/${created.id}`)
    expect((await api.done('GET', `/keys/${key.id}`)).assignedRoles).toEqual([])
    expect(await error('GET', `/roles/${created.id}`)).toEqual([404, `NOT_FOUND: ${created.id}`])
  })

  test.each<[string, () => object, string]>([
    ['a taken name', () => ({ name: 'admin' }), 'already exists'],
    ['an unknown actor', () => ({ actors: [`user/${uuid}`] }), `Actor user/${uuid} does not exist`],
    ['something else as an actor', () => ({ actors: ['me'] }), 'request body.actors.0: '],
    ['an empty permission', () => ({ policies: [{ ...policies()[0], permissions: [''] }] }), 'permissions.0'],
    ['another organization', () => ({ policies: [{ ...policies()[0], resources: [`organization/${uuid}`] }] }), 'this'],
    ['no resources', () => ({ policies: [{ ...policies()[0], resources: [] }] }), 'resources'],
    [
      'a permission without its resource',
      () => ({ policies: [{ ...policies()[0], resources: ['instance/*'] }] }),
      'request body.policies.0.permissions: control-plane:organization:view needs the resource organization/',
    ],
  ])('are refused with %s', async (_, change, message) => {
    const body = { name: 'New role', actors: [], policies: [], ...change() }
    expect(await error('POST', '/roles', body)).toEqual([400, expect.stringContaining(message)])
  })

  test('keep permissions that only other deployments know, without effect', async () => {
    const unknown = ['control-plane:organization:view-billing', 'control-plane:service:manage-clickpipes']
    const wanted = { allowDeny: 'ALLOW', permissions: unknown, resources: [`organization/${organizationId()}`] }
    const role = await api.done('POST', '/roles', { name: 'Billing reader', actors: [], policies: [wanted] })
    const stored = await api.done('GET', `/roles/${role.id}`)
    expect(stored.policies).toMatchObject([wanted])
    const key = await api.key({ assignedRoleIds: [role.id] })
    expect((await api.call('GET', '/usageCost?from_date=2026-01-01&to_date=2026-01-02', undefined, key)).status).toBe(
      403,
    )
    await api.done('PATCH', `/roles/${role.id}`, { policies: [{ ...wanted, allowDeny: 'DENY' }] })
    await api.done('DELETE', `/roles/${role.id}`)
  })

  type Request = (actor: string, policy: object, id: string) => [method: string, path: string, body: object]
  test.each<[string, Request]>([
    ['a new role', (actor, policy) => ['POST', '/roles', { name: 'Out', actors: [actor], policies: [policy] }]],
    ['a role that it gets', (actor, _, id) => ['PATCH', `/roles/${id}`, { actors: [actor] }]],
  ])('a key does not lock itself out by %s', async (_, request) => {
    const deny = { allowDeny: 'DENY', permissions: ['control-plane:service:view'], resources: ['instance/*'] }
    const role = await api.done('POST', '/roles', { name: 'No services', actors: [], policies: [deny] })
    const me = await ownKey()
    const [method, path, body] = request(`apiKey/${me.id}`, deny, role.id)
    expect(await error(method, path, body)).toEqual([
      400,
      expect.stringContaining(
        'would deny control-plane:service:view on instance/* to the API key that makes the change',
      ),
    ])
    expect(await error('PATCH', `/keys/${me.id}`, { assignedRoleIds: [...me.roles, role.id] })).toEqual([
      400,
      expect.stringContaining('could not take it back. Use another key'),
    ])
    expect((await ownKey()).roles).toEqual(me.roles)
    expect((await api.done('GET', `/roles/${role.id}`)).actors).toEqual([])
    // Another key may be denied it, and nothing is refused that the key is not denied anyway.
    const other = await api.key({ assignedRoleIds: [role.id] })
    await api.done('DELETE', `/keys/${other.id}`)
    await api.done('DELETE', `/roles/${role.id}`)
  })

  test('a denial wins', async () => {
    const [allow, deny] = [
      { allowDeny: 'ALLOW', permissions: ['control-plane:service:manage'], resources: ['instance/*'] },
      {
        allowDeny: 'DENY',
        permissions: ['control-plane:service:manage'],
        resources: [`instance/${stack.identity.serviceId}`],
      },
    ]
    const role = await api.done('POST', '/roles', { name: 'All but one', actors: [], policies: [allow, deny] })
    const key = await api.key({ assignedRoleIds: [role.id] })
    const path = `/services/${stack.identity.serviceId}`
    expect((await api.call('PATCH', path, { name: 'Mine' }, key)).status).toBe(403)
    expect((await api.call('GET', path, undefined, key)).status).toBe(200)
  })
})

describe('members and invitations', () => {
  test('a member has roles, and the last Admin stays', async () => {
    const [owner] = await api.done('GET', '/members')
    expect(owner).toMatchObject({ userId: id, role: 'admin', joinedAt: time, assignedRoles: [{ roleName: 'Admin' }] })
    expect(await api.done('GET', `/members/${owner.userId}`)).toEqual(owner)
    const roles = [await api.roleId('Admin'), await api.roleId('Billing')]
    const changed = await api.done('PATCH', `/members/${owner.userId}`, { assignedRoleIds: roles })
    expect(changed.assignedRoles).toMatchObject([{ roleName: 'Admin' }, { roleName: 'Billing' }])
    expect(await error('PATCH', `/members/${owner.userId}`, { role: 'developer' })).toEqual([
      409,
      expect.stringContaining('At least one member'),
    ])
    expect((await error('DELETE', `/members/${owner.userId}`))[0]).toBe(409)
    expect(await error('GET', `/members/${uuid}`)).toEqual([404, `NOT_FOUND: ${uuid}`])
    expect((await error('GET', '/members/me'))[0]).toBe(400)
  })

  test('an invitation is for one address, in lower case, and can be taken back', async () => {
    const { url, ...created } = await api.done('POST', '/invitations', { email: ' New.Person@Example.com ' })
    expect(url).toMatch(/^http:\/\/console\.test\/join-organization\?token=[\da-f]{64}$/)
    expect(created).toEqual({
      id,
      email: 'new.person@example.com',
      role: 'developer',
      createdAt: time,
      expireAt: time,
      assignedRoles: [{ roleId: await api.roleId('Member'), roleName: 'Member', roleType: 'system' }],
    })
    expect(await api.done('GET', '/invitations')).toEqual([created])
    expect(await api.done('GET', `/invitations/${created.id}`)).toEqual(created)
    const again = await error('POST', '/invitations', { email: 'NEW.PERSON@example.com' })
    expect(again).toEqual([400, expect.stringContaining('already invited')])
    const [owner] = await api.done('GET', '/members')
    const known = await error('POST', '/invitations', { email: owner.email })
    expect(known).toEqual([400, expect.stringContaining('already a member')])
    expect((await error('POST', '/invitations', { email: 'nobody' }))[0]).toBe(400)
    await api.done('DELETE', `/invitations/${created.id}`)
    expect(await api.done('GET', '/invitations')).toEqual([])
    expect((await error('GET', `/invitations/${created.id}`))[0]).toBe(404)
  })
})

describe('activities', () => {
  interface Entry {
    id: string
    type: string
    createdAt: string
    keyUpdateType?: string
  }

  async function newEntries(work: () => Promise<unknown>): Promise<Entry[]> {
    const before: Entry[] = await api.done('GET', '/activities')
    await work()
    const all: Entry[] = await api.done('GET', '/activities')
    return all.slice(0, all.length - before.length).toReversed()
  }
  const types = async (work: () => Promise<unknown>) => (await newEntries(work)).map(({ type }) => type)
  const service = (path: string, method: string, body?: unknown) => () =>
    api.done(method, `/services/${stack.identity.serviceId}${path}`, body)

  test('have who, from where and what, without values', async () => {
    await api.done('PATCH', '', { enableCoreDumps: true })
    const entries = await newEntries(service('', 'PATCH', { name: 'Secret plans', enableCoreDumps: true }))
    const [key] = await api.done('GET', '/keys')
    const shared = {
      id,
      createdAt: time,
      actorType: 'api',
      actorId: key.id,
      actorDetails: 'credentials.json',
      actorIpAddress: '127.0.0.1',
      userAgent: expect.any(String),
      organizationId: stack.identity.organizationId,
      serviceId: stack.identity.serviceId,
    }
    expect(entries).toEqual([
      { ...shared, type: 'service_update_name' },
      { ...shared, type: 'service_update_core_dump' },
    ])
    expect(JSON.stringify(entries)).not.toContain('Secret plans')
    expect(await api.done('GET', `/activities/${entries[0]?.id}`)).toEqual(entries[0])
  })

  test('tell what changed about a key', async () => {
    const entries = await newEntries(async () => {
      const { id } = await api.key()
      await api.done('PATCH', `/keys/${id}`, { name: 'Other', state: 'disabled', expireAt: null })
      await api.done('DELETE', `/keys/${id}`)
    })
    expect(entries.map(({ type, keyUpdateType }) => [type, keyUpdateType])).toEqual([
      ['key_create', 'created'],
      ['openapi_key_update', 'name-changed'],
      ['openapi_key_update', 'state-changed'],
      ['openapi_key_update', 'date-changed'],
      ['key_delete', 'deleted'],
    ])
  })

  test('every write has one', async () => {
    const { call } = managedClientOf(stack)
    expect(await types(service('/password', 'PATCH', {}))).toEqual(['service_update_password'])
    expect(await types(service('/state', 'PATCH', { command: 'awake' }))).toEqual(['service_awaken'])
    expect(await types(service('/replicaScaling', 'PATCH', { numReplicas: 2, idleTimeoutMinutes: 20 }))).toEqual([
      'service_update_autoscaling_replicas',
      'service_update_autoscaling_idling',
    ])
    expect(await types(() => stack.managed('POST', '/dashboards', { name: 'D', tiles: [] }))).toEqual([
      'dashboard_create',
    ])
    expect(await types(() => call('POST', '/datapipes', pipeInputs.kafka))).toEqual(['pipe_create'])
    expect(await types(() => api.done('PATCH', '', { name: 'Shop' }))).toEqual(['organization_update_name'])
    expect(await types(() => api.done('PATCH', '', { enableCoreDumps: true }))).toEqual([
      'organization_update_core_dumps',
    ])
    const window = { weekday: 1, startHourUtc: 6 }
    expect(await types(service('/upgradeWindow', 'PUT', window))).toEqual(['service_update_upgrade_window'])
    expect(await types(service('/upgradeWindow', 'DELETE'))).toEqual(['service_delete_upgrade_window'])
    expect(await types(service('/scalingSchedule', 'POST', { entries: [] }))).toEqual([
      'service_update_autoscaling_schedule',
    ])
    expect(await types(() => api.done('POST', '/roles', { name: 'Audited', actors: [], policies: [] }))).toEqual([
      'role_create',
    ])
  })

  test('what is refused has none, nor have reads and the open-source variant', async () => {
    expect(await types(() => api.call('POST', '/keys', {}))).toEqual([])
    expect(await types(() => api.call('DELETE', `/keys/${uuid}`))).toEqual([])
    expect(await types(() => api.done('GET', '/keys'))).toEqual([])
    expect(await types(() => stack.openSource('POST', '/dashboards', { name: 'D', tiles: [] }))).toEqual([])
  })

  test('are found by date, newest first', async () => {
    await api.done('PATCH', '', { name: 'Dated' })
    const all: Entry[] = await api.done('GET', '/activities')
    expect(all[0]?.type).toBe('organization_update_name')
    const today = all[0]?.createdAt.slice(0, 10) ?? ''
    const within = await api.done('GET', `/activities?from_date=${today}&to_date=${today}`)
    expect(within[0]).toEqual(all[0])
    expect(await api.done('GET', '/activities?to_date=2020-01-01')).toEqual([])
    expect(await api.done('GET', '/activities?from_date=2999-01-01T00:00:00Z')).toEqual([])
    expect((await error('GET', '/activities?from_date=yesterday'))[0]).toBe(400)
    expect(await error('GET', '/activities/bogus-id')).toEqual([400, 'BAD_REQUEST: length is too small: 8 < 20'])
    expect((await error('GET', `/activities/${uuid}`))[0]).toBe(404)
  })
})

describe('cost', () => {
  const cost = (from: string, to: string) => api.call('GET', `/usageCost?from_date=${from}&to_date=${to}`)
  const today = () => currentIsoTime().slice(0, 10)

  test('has a record for each day, service and warehouse', async () => {
    const { result } = (await cost(today(), today())).json
    expect(result.costs.map(({ entityType }: { entityType: string }) => entityType)).toEqual([
      'datawarehouse',
      'service',
    ])
    const sum = result.costs.reduce((all: number, { totalCHC }: { totalCHC: number }) => all + totalCHC, 0)
    expect(result.grandTotalCHC).toBeCloseTo(sum, 3)
    expect((await cost('2020-01-01', '2020-01-31')).json.result).toEqual({
      grandTotalCHC: 0,
      costs: [],
      notBilled: true,
    })
    // The services of this test are minutes old: the hours before them cost nothing.
    expect(result.grandTotalCHC).toBeLessThan(0.5)
  })

  test('is that of the services with the tags of the filter', async () => {
    const filtered = async (filter: string) => {
      const { status, json } = await api.call(
        'GET',
        `/usageCost?from_date=${today()}&to_date=${today()}&filter=${filter}`,
      )
      return json.result?.costs.length ?? status
    }
    const { serviceId } = stack.identity
    await api.done('PATCH', `/services/${serviceId}`, { tags: { add: [{ key: 'team', value: 'shop' }] } })
    expect(await filtered('tag:team=shop')).toBe(2)
    expect(await filtered('tag:team=shop&filter=tag:none')).toBe(0)
    expect(await filtered('team')).toBe(400)
  })

  test.each([
    ['a time', '2020-01-01T00:00:00Z', '2020-01-02'],
    ['more than 31 days', '2020-01-01', '2020-02-01'],
    ['an end before the start', '2020-01-02', '2020-01-01'],
    ['a date that does not exist', '2020-02-30', '2020-03-01'],
  ])('is refused with %s', async (_, from, to) => {
    expect((await cost(from, to)).status).toBe(400)
  })
})
