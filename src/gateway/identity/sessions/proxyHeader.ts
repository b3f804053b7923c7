/** Sign-in by a proxy that has authenticated the person. Its header counts only from the proxy's own addresses. */
import type { IncomingMessage } from 'node:http'
import { refusal } from '#node/upstream/apiFailure.ts'
import { TrustedProxies } from '#node/net/trustedProxies.ts'

export interface ProxySettings {
  /** The header with the e-mail address, such as `x-forwarded-email`. */
  header: string
  /** Addresses of proxies, or networks such as 10.2.0.0/16. */
  addresses: readonly string[]
}

export class ProxyHeader {
  readonly #trusted: TrustedProxies
  readonly name: string

  constructor({ header, addresses }: ProxySettings) {
    this.name = header.toLowerCase()
    this.#trusted = new TrustedProxies(addresses)
  }

  /** The e-mail address of the person; undefined without the header. @throws blocked from any other address */
  emailOf(request: IncomingMessage): string | undefined {
    const value = request.headers[this.name]
    if (value === undefined) return undefined
    const isTrusted = this.#trusted.trusts(request.socket.remoteAddress ?? '')
    // Node joins repeated headers with a comma.
    if (!isTrusted || typeof value !== 'string' || value.includes(',')) {
      throw refusal(403, `The header ${this.name} is only accepted once, and from a proxy in TRUSTED_PROXY_ADDRESSES.`)
    }
    return value.trim() || undefined
  }
}
