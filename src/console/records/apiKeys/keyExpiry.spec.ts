import { expect, test } from 'vitest'
import { keyExpiry } from './keyExpiry.ts'

const now = Date.parse('2026-05-01T00:00:00Z')
const key = (name: string, expireAt: string | null) => ({ id: name, name, expireAt })
const soon = key('CI', '2026-05-04T00:00:00Z')
const later = key('Later', '2026-09-01T00:00:00Z')

test('the key of the connection that expires soon is named', () => {
  expect(keyExpiry({ keys: [soon], expiring: [soon] }, now)).toEqual({
    text: 'The key of this connection, CI, expires in 3 days.',
    short: 'in 3 days',
    own: true,
    apiKeyId: 'CI',
  })
})

test('where two keys end alike, both are named', () => {
  const { text } = keyExpiry({ keys: [later, soon], expiring: [soon] }, now) ?? { text: '' }
  expect(text).toContain('may be CI, which expires in 3 days. The ID of Later ends like it')
})

test('other keys are counted, and keys that last are no news', () => {
  expect(keyExpiry({ keys: [later], expiring: [soon] }, now)).toMatchObject({
    text: '1 other key of the organization expires within 14 days.',
    own: false,
  })
  expect(keyExpiry({ keys: [later], expiring: [] }, now)).toBeUndefined()
  expect(keyExpiry({ keys: [], expiring: [], problem: 'down' }, now)).toBeUndefined()
})
