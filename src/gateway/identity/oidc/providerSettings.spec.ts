import { expect, test } from 'vitest'
import { ProviderSettingsError, readProviderSettings } from './providerSettings.ts'

const least = { id: 'okta', label: 'Okta', issuer: 'https://corp.okta.example', clientId: 'console' }
const secrets = {
  file: (path: string) => (path === '/run/secret' ? 'from-a-file' : ''),
  env: (name: string) => (name === 'SECRET' ? 'from-a-variable' : undefined),
}
const read = (...providers: object[]) => readProviderSettings(JSON.stringify({ providers }), secrets)

test('has safe defaults, and reads secrets where they are', () => {
  expect(read(least)).toEqual([
    {
      ...least,
      clientSecret: undefined,
      scopes: ['openid', 'email', 'profile'],
      groupsClaim: 'groups',
      groups: [],
      createPeople: false,
      allowedDomains: [],
      trustEmail: false,
      allowPrivate: false,
      signOutAtProvider: true,
    },
  ])
  expect(read({ ...least, clientSecretFile: '/run/secret' })[0]?.clientSecret).toBe('from-a-file')
  expect(read({ ...least, clientSecretEnv: 'SECRET' })[0]?.clientSecret).toBe('from-a-variable')
})

test.each<[string, object[], string]>([
  ['an ID that is no part of an address', [{ ...least, id: '../x' }], 'providers.0.id: must be lower-case'],
  ['one ID twice', [least, least], 'providers.1.id: is used twice.'],
  [
    'plain http',
    [{ ...least, issuer: 'http://id.example' }],
    'providers.0.issuer: must use https, unless allowPrivate',
  ],
  ['no openid', [{ ...least, scopes: ['email'] }], 'providers.0.scopes: must include "openid".'],
  ['an unknown role', [{ ...least, groups: [{ group: 'a', role: 'root' }] }], 'providers.0.groups.0.role: '],
  ['a role that is none', [{ ...least, groups: [{ group: 'a', role: 'none' }] }], 'providers.0.groups.0.role: '],
  ['a misspelled field', [{ ...least, allowdDomains: ['x'] }], 'providers.0: '],
  ['a secret in the file itself', [{ ...least, clientSecret: 'x' }], 'providers.0: '],
  [
    'two secrets',
    [{ ...least, clientSecretFile: 'a', clientSecretEnv: 'b' }],
    'providers.0.clientSecretFile: cannot be',
  ],
  ['a secret that is not there', [{ ...least, clientSecretEnv: 'OTHER' }], 'the secret of okta is not in OTHER.'],
])('%s is refused by name', (_, providers, message) => {
  expect(() => read(...providers)).toThrow(ProviderSettingsError)
  expect(() => read(...providers)).toThrow(message)
})

test('what is not JSON is refused without quoting it', () => {
  expect(() => readProviderSettings('{"secret', secrets)).toThrow('the file is not valid JSON.')
})
