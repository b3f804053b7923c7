/** Whether an address is in an IP access list. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The entries of a key that may be used from anywhere. */
export const anywhere: readonly { source: string; description: string }[] = [
  { source: '0.0.0.0/0', description: 'Anywhere (IPv4)' },
  { source: '::/0', description: 'Anywhere (IPv6)' },
]

/** @param address of the socket. IPv4 in the form of IPv6 (`::ffff:10.0.0.1`) counts as IPv4 */
export function isListed(list: readonly { source: string }[], address: string): boolean {
  const sender = parseAddress(address)
  return sender !== null && list.some(({ source }) => contains(source, sender))
}

function contains(source: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [text = '', prefix] = source.split('/')
  const range = plain(text)
  if (!range) return false
  // `::ffff:10.0.0.0/104` has 96 bits before the IPv4 address.
  const mapped = range.kind() === 'ipv6' && parseAddress(text)?.kind() === 'ipv4'
  const bits = prefix === undefined ? (range.kind() === 'ipv4' ? 32 : 128) : Number(prefix)
  if (mapped && bits >= 96) return contains(`${parseAddress(text)?.toString()}/${bits - 96}`, address)
  return range.kind() === address.kind() && address.match(range, bits)
}

function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const ip = plain(address)
  return ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip
}

/** Only canonical spellings: ipaddr.js also accepts old ones such as 1.2.3, which others read differently. */
function plain(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = address.replace(/%.*$/, '')
  return isIP(bare) ? ipaddr.parse(bare) : null
}
