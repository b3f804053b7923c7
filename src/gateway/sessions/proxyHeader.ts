/** Sign-in by a proxy that has authenticated the person. Its header counts only from the proxy's own addresses. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv4 } from 'node:net'
import { refusal } from '#node/upstream/apiFailure.ts'

export interface ProxySettings {
  /** The header with the e-mail address, such as `x-forwarded-email`. */
  header: string
  /** Addresses of proxies, or networks such as 10.2.0.0/16. */
  addresses: readonly string[]
}

export class ProxyHeader {
  private readonly trusted = new BlockList()
  readonly name: string

  constructor({ header, addresses }: ProxySettings) {
    this.name = header.toLowerCase()
    for (const entry of addresses) {
      const [address = '', bits] = entry.split('/')
      const family = isIPv4(address) ? 'ipv4' : 'ipv6'
      if (bits === undefined) this.trusted.addAddress(address, family)
      else this.trusted.addSubnet(address, Number(bits), family)
    }
  }

  /** The e-mail address of the person; undefined without the header. @throws blocked from any other address */
  emailOf(request: IncomingMessage): string | undefined {
    const value = request.headers[this.name]
    if (value === undefined) return undefined
    // IPv4 clients of a socket for both families.
    const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
    const isTrusted = peer !== '' && this.trusted.check(peer, isIPv4(peer) ? 'ipv4' : 'ipv6')
    // Node joins repeated headers with a comma.
    if (!isTrusted || typeof value !== 'string' || value.includes(',')) {
      throw refusal(403, `The header ${this.name} is only accepted once, and from a proxy in TRUSTED_PROXY_ADDRESSES.`)
    }
    return value.trim() || undefined
  }
}
