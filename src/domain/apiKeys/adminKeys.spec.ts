import { expect, test } from 'vitest'
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import { leavesNoLastingAdminKey, type KeyChange } from './adminKeys.ts'

const now = Date.parse('2026-05-01T00:00:00Z')
const admin = { roleId: 'r', roleName: 'Admin', roleType: 'system' }
const key = (id: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id,
  name: id,
  state: 'enabled',
  expireAt: null,
  assignedRoles: [admin],
  ipAccessList: [{ source: '0.0.0.0/0' }],
  ...more,
})
const soon = '2026-05-10T00:00:00Z'
const one = [key('one'), key('other', { expireAt: soon }), key('reader', { assignedRoles: [] })]

test.each<[string, KeyChange, boolean]>([
  ['deleting it', null, true],
  ['disabling it', { state: 'disabled' }, true],
  ['an expiry soon', { expireAt: soon }, true],
  ['an expiry later', { expireAt: '2027-01-01T00:00:00Z' }, false],
  ['no addresses', { ipAccessList: [] }, true],
  ['another role', { assignedRoles: [{ ...admin, roleName: 'Developer' }] }, true],
  ['a custom role of that name', { assignedRoles: [{ ...admin, roleType: 'custom' }] }, true],
  ['nothing', {}, false],
])('of the only lasting Admin key, %s', (_, change, ends) => {
  expect(leavesNoLastingAdminKey(one, 'one', change, now)).toBe(ends)
})

test('with a second lasting one, or with none before, no change is to blame', () => {
  expect(leavesNoLastingAdminKey([...one, key('two')], 'one', null, now)).toBe(false)
  expect(leavesNoLastingAdminKey([...one, key('two', { assignedRoles: [], roles: ['admin'] })], 'one', null, now)).toBe(
    false,
  )
  expect(leavesNoLastingAdminKey(one.slice(1), 'other', null, now)).toBe(false)
})
