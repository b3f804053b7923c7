/** Classifies IP addresses and host names: the one rule of the gateway, webhooks and data pipes for who may be reached. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * - `public`: an address of the internet.
 * - `private`: loopback, a private network, or a tunnel. Somebody has to allow it.
 * - `never`: link-local, metadata, multicast, reserved or not an address. No legitimate service has one.
 */
export type AddressScope = 'public' | 'private' | 'never'

/** Metadata services and cloud platforms outside of the link-local range, which is refused as a whole. */
const metadata = new Set(
  ['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'].map((address) =>
    ipaddr.parse(address).toString(),
  ),
)

const privateRanges = ['loopback', 'private', 'carrierGradeNat', 'uniqueLocal', 'deprecatedSiteLocal']

/** @param address as `node:net` and `node:dns` spell it, with or without a zone */
export function addressScope(address: string): AddressScope {
  const bare = address.split('%', 1)[0] ?? ''
  // ipaddr.js accepts old spellings such as 1.2.3, which other parsers read differently.
  if (!isIP(bare)) return 'never'
  const parsed = ipaddr.parse(isIP(bare) === 6 ? hexadecimal(bare) : bare)
  if (metadata.has(parsed.toString())) return 'never'
  return parsed instanceof ipaddr.IPv4 ? ipv4Scope(parsed) : ipv6Scope(parsed)
}

/** `::8.8.8.8` as `::808:808`: ipaddr.js reads the first as `::ffff:8.8.8.8`, unlike operating systems. */
function hexadecimal(address: string): string {
  return plainHost(new URL(`http://[${address}]/`).hostname)
}

/** Whether an address is one of the internet. Everything else is private, reserved, or a way into those. */
export function isPublic(address: string): boolean {
  return addressScope(address) === 'public'
}

/** Host name of a URL as name servers and sockets take it: no brackets, no dot at the end. */
export function plainHost(hostname: string): string {
  return hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1')
}

function ipv4Scope(address: ipaddr.IPv4): AddressScope {
  const range = address.range()
  if (range === 'unicast') return 'public'
  return privateRanges.includes(range) ? 'private' : 'never'
}

function ipv6Scope(address: ipaddr.IPv6): AddressScope {
  if (address.isIPv4MappedAddress()) return addressScope(address.toIPv4Address().toString())
  const bytes = address.toByteArray()
  const embedded = embeddedIpv4(bytes).map((octets) => addressScope(octets.join('.')))
  // A tunnel is never public: its far end decides where a packet goes.
  if (embedded.length > 0) return embedded.includes('never') ? 'never' : 'private'
  const range = address.range()
  // Global addresses are assigned from 2000::/3 only.
  if (range === 'unicast') return bytes[0]! >> 5 === 1 ? 'public' : 'never'
  // IPv6 link-local needs a zone and, unlike in IPv4, holds no metadata service.
  return privateRanges.includes(range) || range === 'linkLocal' ? 'private' : 'never'
}

/** The IPv4 addresses that a transition mechanism would extract from these 16 bytes. */
function embeddedIpv4(bytes: number[]): number[][] {
  const starts = (...prefix: number[]) => prefix.every((byte, at) => bytes[at] === byte)
  const zero = (from: number, to: number) => bytes.slice(from, to).every((byte) => byte === 0)
  const last = bytes.slice(12)
  const translated = zero(0, 8) && bytes[8] === 0xff && bytes[9] === 0xff && zero(10, 12)
  const compatible = zero(0, 12) && !zero(12, 15)
  const nat64 = starts(0, 0x64, 0xff, 0x9b) && zero(4, 12)
  if (translated || compatible || nat64) return [last]
  const sixToFour = starts(0x20, 0x02)
  if (sixToFour) return [bytes.slice(2, 6)]
  // Teredo holds the server's address, and the client's with every bit inverted.
  const teredo = starts(0x20, 0x01, 0, 0)
  if (teredo) return [bytes.slice(4, 8), last.map((byte) => byte ^ 0xff)]
  const isatap = (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  return isatap ? [last] : []
}
