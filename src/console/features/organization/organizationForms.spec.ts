/** The forms of keys and roles: what they send. */
import { expect, test } from 'vitest'
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Role } from '#contract/cloud/organization/roles.ts'
import { activityText } from './activities/activityText.ts'
import { apiKeyForm, emptyForm as newKey } from './keys/apiKeyForm.ts'
import { emptyForm as newRole, emptyPolicy, roleForm } from './roles/roleResource.ts'

const connection = { id: 'c', organizationId: 'org-1' } as Connection // the forms read nothing else
const roleId = '5a1d0000-0000-4000-8000-000000000002'
const key: ApiKey = {
  id: 'k',
  name: 'CI',
  state: 'enabled',
  assignedRoles: [{ roleId, roleName: 'Developer', roleType: 'system' }],
  expireAt: null,
  ipAccessList: [{ source: '10.0.0.0/8', description: 'office' }, { source: '::1' }],
}

test('a new key has all fields', () => {
  const form = { ...newKey, name: ' CI ', roleIds: [roleId] }
  expect(apiKeyForm.schema(null, connection).safeParse(form).success).toBe(true)
  expect(apiKeyForm.body(form, null, connection, null)).toEqual({
    name: 'CI',
    assignedRoleIds: [roleId],
    expireAt: null,
    ipAccessList: [
      { source: '0.0.0.0/0', description: 'Anywhere (IPv4)' },
      { source: '::/0', description: 'Anywhere (IPv6)' },
    ],
  })
})

test('an edit of a key sends what changed', () => {
  const form = apiKeyForm.read(key)
  expect(apiKeyForm.body(form, key, connection, key)).toEqual({})
  const changed = { ...form, expireAt: '2026-05-01T00:00:00.000Z', access: form.access.slice(1) }
  expect(apiKeyForm.body(changed, key, connection, key)).toEqual({
    expireAt: '2026-05-01T00:00:00.000Z',
    ipAccessList: [{ source: '::1' }],
  })
  const limited = { ...key, expireAt: '2026-05-01T00:00:00.000Z' }
  expect(apiKeyForm.body({ ...apiKeyForm.read(limited), expireAt: '' }, limited, connection, limited)).toEqual({
    expireAt: null,
  })
})

test.each([
  [{ name: ' ' }, 'name'],
  [{ roleIds: [] }, 'roleIds'],
  [{ access: [] }, 'access'],
  [{ access: [{ source: 'home', description: '' }] }, 'access.0.source'],
])('a key with %j shows the error at %s', (change, path) => {
  const issues = apiKeyForm.schema(key, connection).safeParse({ ...apiKeyForm.read(key), ...change }).error?.issues
  expect(issues?.map((issue) => issue.path.join('.'))).toContain(path)
})

const policy = {
  id: 'p',
  roleId: 'r',
  tenantId: 'org-1',
  allowDeny: 'ALLOW',
  permissions: ['control-plane:organization:view', 'control-plane:service:view', 'sql-console:future'],
  resources: ['organization/org-1', 'instance/s-1'],
  tags: { roleV2: 'sql-console-readonly' },
}
const role: Role = { id: 'r', name: 'Reader', type: 'custom', actors: ['user/u'], policies: [policy] }

test('a role keeps what the form does not show', () => {
  const form = roleForm.read(role)
  expect(roleForm.body(form, role, connection, role)).toEqual({})
  const renamed = { ...form, name: 'Readers' }
  expect(roleForm.body(renamed, role, connection, role)).toEqual({ name: 'Readers' })
  const [first = emptyPolicy] = form.policies
  const everywhere = { ...form, policies: [{ ...first, serviceIds: [] }] }
  const { id: _, roleId: __, tenantId: ___, ...kept } = policy
  expect(roleForm.body(everywhere, role, connection, role)).toEqual({
    policies: [{ ...kept, resources: ['organization/org-1', 'instance/*'] }],
  })
})

test('the resources of a new policy follow from its permissions', () => {
  const policies = [
    { ...emptyPolicy, organizationPermissions: ['control-plane:organization:view'] },
    { ...emptyPolicy, allowDeny: 'DENY', servicePermissions: ['stack:telemetry:read'] },
  ]
  expect(roleForm.body({ name: 'New', policies }, null, connection, null)).toMatchObject({
    name: 'New',
    actors: [],
    policies: [{ resources: ['organization/org-1'] }, { allowDeny: 'DENY', resources: ['instance/*'] }],
  })
  expect(roleForm.schema(null, connection).safeParse({ ...newRole, name: 'New' }).error?.issues[0]?.path).toEqual([
    'policies',
    0,
    'servicePermissions',
  ])
})

test.each([
  [{ type: 'openapi_key_update', keyUpdateType: 'date-changed' }, 'API key changed: expiry'],
  [{ type: 'key_create', keyUpdateType: 'created' }, 'API key created'],
  [{ type: 'saved_search_delete' }, 'Saved search deleted'],
  [{ type: 'service_start' }, 'Service start'],
])('%j reads as %s', (activity, text) => {
  expect(activityText(activity)).toBe(text)
})
