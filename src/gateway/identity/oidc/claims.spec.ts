import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAllowedDomain, readClaims, rolesOfGroups } from './claims.ts'
import { webAddress, withUserInfo } from './provider.ts'
import type { ProviderSettings } from './providerSettings.ts'

const settings: ProviderSettings = {
  id: 'test',
  label: 'Test',
  issuer: 'https://id.example',
  clientId: 'console',
  scopes: ['openid'],
  groupsClaim: 'groups',
  groups: [
    { group: 'admins', role: 'administrator' },
    { group: '*', role: 'viewer', connections: ['one', 'two'] },
  ],
  createPeople: false,
  allowedDomains: [],
  trustEmail: false,
  allowPrivate: false,
  signOutAtProvider: true,
}

describe('claims', () => {
  test.each([
    [true, false, true],
    ['true', false, false],
    [1, false, false],
    [undefined, false, false],
    [undefined, true, true],
    [false, true, false],
  ])('e-mail verified: %s, with trustEmail %s: %s', (email_verified, trustEmail, expected) => {
    const claims = { email: 'Ada@Corp.example ', email_verified }
    const read = readClaims('s', claims, { ...settings, trustEmail })
    expect(read).toMatchObject({ email: 'ada@corp.example', emailVerified: expected })
  })

  test('groups are found by name or by path, never in what objects inherit', () => {
    const groupsOf = (claims: Record<string, unknown>, groupsClaim: string) =>
      readClaims('s', claims, { ...settings, groupsClaim }).groups
    expect(groupsOf({ realm_access: { roles: ['a', 'b', 'a'] } }, 'realm_access.roles')).toEqual(['a', 'b'])
    expect(groupsOf({ 'https://corp.example/groups': 'a' }, 'https://corp.example/groups')).toEqual(['a'])
    expect(groupsOf({ groups: ['a', 1, null, { a: 1 }, 'x'.repeat(301)] }, 'groups')).toEqual(['a'])
    for (const claim of ['constructor.name', '__proto__', 'groups.length', 'toString']) {
      expect(groupsOf({ groups: ['a'] }, claim)).toEqual([])
    }
  })

  test('a name has no characters that hide or turn text', () => {
    expect(readClaims('s', { name: 'Ada\u202E\u0000 \nLovelace' }, settings).name).toBe('Ada Lovelace')
    expect(readClaims('s', { name: '\u200B' }, settings).name).toBe('s')
  })

  test('groups give exactly the roles of the configuration', () => {
    expect(rolesOfGroups(['*'], settings).map(({ role }) => role)).toEqual(['viewer', 'viewer'])
    expect(rolesOfGroups(['admins'], settings)[0]).toEqual({ provider: 'Test', group: 'admins', role: 'administrator' })
    fc.assert(
      fc.property(fc.array(fc.string()), (groups) => {
        fc.pre(!groups.includes('admins'))
        expect(rolesOfGroups(groups, settings).every(({ role }) => role === 'viewer')).toBe(true)
      }),
    )
  })

  test('an address that only looks like one of ASCII is none', () => {
    for (const address of [
      '\u212Aim@corp.example',
      'kim@\u212Aorp.example',
      'k\u0131m@corp.example',
      'k im@corp.example',
    ]) {
      expect(readClaims('s', { email: address, email_verified: true }, settings).email, address).toBeUndefined()
    }
    expect(readClaims('s', { email: ' KIM@corp.example ' }, settings).email).toBe('kim@corp.example')
  })

  test.each([
    ['a@corp.example', true],
    ['a@evil.example', false],
    ['a@corp.example@evil.example', false],
    ['a@sub.corp.example', false],
    ['a@notcorp.example', false],
  ])('%s is of an allowed domain: %s', (address, expected) => {
    expect(isAllowedDomain(address, { ...settings, allowedDomains: ['corp.example'] })).toBe(expected)
  })
})

describe('the user info', () => {
  test('verifies only the very address that it has itself', () => {
    const verified = { sub: 's', email: 'mine@x.example', email_verified: true, groups: ['a'] }
    expect(withUserInfo({ sub: 's' }, verified)).toMatchObject({ email: 'mine@x.example', email_verified: true })
    expect(withUserInfo({ sub: 's', email: 'victim@x.example' }, verified)).toMatchObject({
      email: 'victim@x.example',
      email_verified: undefined,
      groups: ['a'],
    })
    expect(withUserInfo({ sub: 's', email_verified: true }, { ...verified, email_verified: false })).toMatchObject({
      email_verified: false,
    })
    expect(withUserInfo({ sub: 's', groups: ['b'] }, verified)).toMatchObject({ groups: ['b'] })
  })
})

test.each([
  ['https://id.example/authorize', false, true],
  ['http://id.example/authorize', false, false],
  ['http://id.example/authorize', true, true],
  ['javascript:alert(1)', true, false],
  ['data:text/html,x', true, false],
])('the page goes to %s, with allowPrivate %s: %s', (address, allowPrivate, expected) => {
  const open = () => webAddress(new URL(address), { ...settings, allowPrivate })
  if (expected) expect(open()).toBe(address)
  else expect(open).toThrow('Test names an address that is not https')
})
