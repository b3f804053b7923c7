/** Proxies in front of a server. Only from their addresses, a header says who the client is. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'

const header = 'x-forwarded-for'
/** Proxies behind one another. */
const maxHops = 20

export class TrustedProxies {
  readonly #list = new BlockList()

  /** @param entries addresses, or networks such as 10.2.0.0/16 */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/')
      const family = isIPv4(address) ? 'ipv4' : 'ipv6'
      if (bits === undefined) this.#list.addAddress(address, family)
      else this.#list.addSubnet(address, Number(bits), family)
    }
  }

  trusts(address: string): boolean {
    const plain = plainAddress(address)
    return plain !== undefined && this.#list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
  }

  /**
   * Leaves only the client's address in `X-Forwarded-For`, or removes the header. Each proxy adds the address that it sees
   * on the right, so that the client is the first one from the right that is no proxy of ours: what is left of it, the client may have invented.
   */
  settle({ headers, socket }: IncomingMessage): void {
    const value = headers[header]
    if (value === undefined) return
    delete headers[header]
    if (!this.trusts(socket.remoteAddress ?? '')) return
    const hops = [value].flat().join(',').split(',').slice(-maxHops)
    let client: string | undefined
    for (const hop of hops.toReversed()) {
      const address = plainAddress(hop)
      if (address === undefined) break
      client = address
      if (!this.trusts(address)) break
    }
    if (client !== undefined) headers[header] = client
  }
}

/** For Fastify's `trustProxy`: the header has the client alone, once `settle` has read it. */
export const trustsSettled = (_address: string, hop: number): boolean => hop === 0

/** Without port and brackets; of IPv4 clients of a socket for both families, the IPv4 address. Undefined for anything else. */
function plainAddress(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(bare) === 0 || bare.includes('%') ? undefined : bare
}
