import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressScope, isPublic, plainHost } from './addresses.ts'
import { addressTable } from '../testing/addressTable.ts'

describe('address', () => {
  test.each(addressTable)('%s is %s', (address, scope) => expect(addressScope(address)).toBe(scope))

  test.each(['', 'example.com', '1.2.3', '::1::', '127.0.0.1/8', '0x7f000001', '2130706433', '[::1]'])(
    '"%s" is not an address',
    (text) => expect(addressScope(text)).toBe('never'),
  )

  test('has the same scope as IPv4 and mapped into IPv6, and is never public in a tunnel', () => {
    fc.assert(
      fc.property(fc.ipV4(), (plain) => {
        expect(addressScope(`::ffff:${plain}`)).toBe(addressScope(plain))
        const tunnels = [`::ffff:0:${plain}`, `64:ff9b::${plain}`, `fe80::5efe:${plain}`, `2606:4700::5efe:${plain}`]
        expect(tunnels.filter(isPublic)).toEqual([])
        if (addressScope(plain) === 'never') expect(tunnels.map(addressScope)).toEqual(tunnels.map(() => 'never'))
      }),
    )
  })
})

test.each([
  ['example.com.', 'example.com'],
  ['localhost', 'localhost'],
  ['[::1]', '::1'],
  ['127.0.0.1', '127.0.0.1'],
])('the host of %s is %s', (hostname, host) => expect(plainHost(hostname)).toBe(host))
