import type { IncomingMessage } from 'node:http'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { TrustedProxies } from './trustedProxies.ts'

const proxies = new TrustedProxies(['127.0.0.1', '10.2.0.0/16', 'fd00:1::/32'])

/** The header that is left. */
function settled(from: string, given: string | string[] | undefined): unknown {
  const request = { headers: { 'x-forwarded-for': given }, socket: { remoteAddress: from } }
  proxies.settle(request as unknown as IncomingMessage) // as much of one as is read
  return request.headers['x-forwarded-for']
}

test.each([
  ['the address that the proxy saw', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['not what the client invented', '127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['the client behind two proxies', '127.0.0.1', '198.51.100.1, 203.0.113.7, 10.2.3.4', '203.0.113.7'],
  ['a client in the network of the proxies', '10.2.0.1', '10.2.9.9', '10.2.9.9'],
  ['a port left out', '10.2.0.1', '203.0.113.7:5123', '203.0.113.7'],
  ['IPv6 in brackets', 'fd00:1::2', '[2001:db8::7]:443', '2001:db8::7'],
  ['an IPv4 proxy of a socket for both families', '::ffff:127.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
  ['repeated headers', '127.0.0.1', ['198.51.100.1', '203.0.113.7'], '203.0.113.7'],
  ['nothing from somebody else', '203.0.113.9', '198.51.100.1', undefined],
  ['nothing from somebody near', '127.0.0.2', '198.51.100.1', undefined],
  ['nothing if it is no address', '127.0.0.1', '203.0.113.7, unknown', undefined],
  ['the proxy next to what is no address', '127.0.0.1', '203.0.113.7, <script>, 10.2.0.1', '10.2.0.1'],
  ['nothing for an empty header', '127.0.0.1', '', undefined],
  ['nothing without the header', '127.0.0.1', undefined, undefined],
])('%s', (_, from, given, expected) => expect(settled(from, given)).toBe(expected))

test('whatever a client sends, the address is the one that the proxy added', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.ipV4(), (invented, client) => {
      fc.pre(!proxies.trusts(client))
      expect(settled('127.0.0.1', `${invented}, ${client}`)).toBe(client)
    }),
  )
})
