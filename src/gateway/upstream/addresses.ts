/** Who may be reached at an IP address, with IPv4 addresses found inside of IPv6 ones. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `private` needs a person's word for the connection; `never` has no legitimate deployment behind it. */
export type AddressScope = 'public' | 'private' | 'never'

/** Instance metadata that lies outside of the link-local range, which is refused as a whole. */
const metadata = ['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254']

const privateRanges = ['loopback', 'private', 'carrierGradeNat', 'uniqueLocal', 'deprecatedSiteLocal']

/** Classifies an address as `net` and `dns` spell it. What is no address at all is `never`. */
export function hostCheck(address: string): AddressScope {
  const bare = address.replace(/%.*$/, '')
  // ipaddr.js forgives old spellings such as 1.2.3, which others read otherwise.
  if (!isIP(bare)) return 'never'
  const parsed = ipaddr.parse(bare)
  if (metadata.some((known) => ipaddr.parse(known).toString() === parsed.toString())) return 'never'
  return parsed instanceof ipaddr.IPv4 ? reachOfRange(parsed) : reachOfIpv6(parsed)
}

function reachOfRange(address: ipaddr.IPv4): AddressScope {
  const range = address.range()
  if (range === 'unicast') return 'public'
  return privateRanges.includes(range) ? 'private' : 'never'
}

function reachOfIpv6(address: ipaddr.IPv6): AddressScope {
  const bytes = address.toByteArray()
  const inside = embeddedIpv4(bytes).map((octets) => hostCheck(octets.join('.')))
  if (inside.length > 0) return strictest(inside)
  const range = address.range()
  if (range === 'unicast') return 'public'
  // IPv6 link-local needs a zone and holds no metadata service, unlike its IPv4 namesake.
  return privateRanges.includes(range) || range === 'linkLocal' ? 'private' : 'never'
}

function strictest(reaches: AddressScope[]): AddressScope {
  if (reaches.includes('never')) return 'never'
  return reaches.includes('private') ? 'private' : 'public'
}

/** The IPv4 addresses that a transition mechanism would take out of these 16 bytes. */
function embeddedIpv4(bytes: number[]): number[][] {
  const starts = (...prefix: number[]) => prefix.every((byte, at) => bytes[at] === byte)
  const zero = (from: number, to: number) => bytes.slice(from, to).every((byte) => byte === 0)
  const last = bytes.slice(12)
  const mapped = zero(0, 10) && bytes[10] === 0xff && bytes[11] === 0xff
  const translated = zero(0, 8) && bytes[8] === 0xff && bytes[9] === 0xff && zero(10, 12)
  const compatible = zero(0, 12) && !zero(12, 15)
  const nat64 = starts(0, 0x64, 0xff, 0x9b) && zero(4, 12)
  if (mapped || translated || compatible || nat64) return [last]
  if (starts(0x20, 0x02)) return [bytes.slice(2, 6)]
  // Teredo: the server's address as it is, the client's with every bit turned.
  if (starts(0x20, 0x01, 0, 0)) return [bytes.slice(4, 8), last.map((byte) => byte ^ 0xff)]
  const isatap = (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  return isatap ? [last] : []
}
