import { expect, test } from 'vitest'
import { keyStatus } from '#domain/apiKeys/keyExpiry.ts'
import { accessText, isOwnKey, statusText } from './keyStatus.ts'

const now = Date.parse('2026-05-01T00:00:00Z')

test.each([
  ['enabled', { state: 'enabled', expireAt: null }, 'Enabled'],
  ['enabled', { state: 'enabled', expireAt: '2026-05-15T00:00:01Z' }, 'Enabled'],
  ['expiring', { state: 'enabled', expireAt: '2026-05-15T00:00:00Z' }, 'Expires in 14 days'],
  ['expiring', { state: 'enabled', expireAt: '2026-05-01T01:00:00Z' }, 'Expires in 1 hr'],
  ['expired', { state: 'enabled', expireAt: '2026-05-01T00:00:00Z' }, 'Expired'],
  ['expired', { state: 'disabled', expireAt: '2020-01-01T00:00:00Z' }, 'Expired'],
  ['disabled', { state: 'disabled', expireAt: '2026-05-02T00:00:00Z' }, 'Disabled'],
  ['enabled', {}, 'Enabled'],
])('is %s with %j', (status, key, text) => {
  expect(keyStatus(key, now)).toBe(status)
  expect(statusText(key, now)).toBe(text)
})

test.each([
  [[], 'Nowhere'],
  [['10.0.0.1', '0.0.0.0/0'], 'Anywhere'],
  [['::/0'], 'Anywhere'],
  [['10.0.0.0/8'], '10.0.0.0/8'],
  [['10.0.0.0/8', '::1'], '10.0.0.0/8 and 1 more'],
])('%j is %s', (sources, text) => {
  expect(accessText({ ipAccessList: sources.map((source) => ({ source })) })).toBe(text)
})

test('the key of the connection is known by the end of its ID', () => {
  expect(isOwnKey({ keySuffix: 'wxyz' }, { keyId: 'abcdwxyz' })).toBe(true)
  expect(isOwnKey({ keySuffix: 'wxyz' }, { keyId: 'wxyzabcd' })).toBe(false)
  expect(isOwnKey({ keySuffix: '' }, { keyId: 'abcd' })).toBe(false)
  expect(isOwnKey({ keySuffix: 'wxyz' }, {})).toBe(false)
})
