import { expect, test } from 'vitest'
import { endsSoon, formatScope } from './tokenScope.ts'

const connections = ['Shop', 'Cart', 'Search', 'Mail', 'Ads'].map((name) => ({ id: name.toLowerCase(), name }))

test.each([
  [null, 'all'],
  [['cart'], 'Cart'],
  [['mail', 'shop', 'cart'], 'Shop, Cart, Mail'],
  [['shop', 'cart', 'search', 'mail', 'ads'], 'Shop, Cart, 3 more'],
  [['cart', 'deleted-1'], 'Cart, 1 no longer available'],
  [['deleted-1', 'deleted-2'], '2 no longer available'],
])('the scope %j is shown as %s', (ids, text) => {
  expect(formatScope(ids, connections)).toBe(text)
})

test('a token ends soon in its last week', () => {
  const expiresAt = '2026-03-08T00:00:00.000Z'
  expect(endsSoon({ expiresAt }, Date.parse('2026-03-01T00:00:00.000Z'))).toBe(false)
  expect(endsSoon({ expiresAt }, Date.parse('2026-03-01T00:00:01.000Z'))).toBe(true)
})
