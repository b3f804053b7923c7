/** Where the console is, and which requests were meant for it. Its port is known once the server listens. */
import type { IncomingMessage } from 'node:http'
import { Hosts, refuseCrossSite, refuseOtherOrigin } from './requestGuard.ts'

interface Settings {
  host: string
  publicUrl?: string | undefined
  basePath?: string
  /** Further hosts of the console, as browsers spell them in the Host header. */
  allowedHosts?: readonly string[] | undefined
}

export class ConsoleAddress {
  // No request arrives before it is set.
  #known: { hosts: Hosts; port: number } | undefined

  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** Whether people reach the console over https. */
  get isSecure(): boolean {
    return this.#settings.publicUrl?.startsWith('https:') ?? false
  }

  /** The URL that people open. */
  get url(): string {
    const address = this.#known?.hosts.address(this.#settings.host, this.#known.port)
    return address === undefined ? '' : address + this.basePath
  }

  /** The path before that of every page and request; empty without one. */
  get basePath(): string {
    return this.#settings.basePath ?? ''
  }

  /** Where it listens on this machine. */
  get local(): string {
    return this.#known?.hosts.listening(this.#settings.host, this.#known.port) ?? ''
  }

  listensOn(port: number): void {
    const { host, publicUrl, allowedHosts: more = [] } = this.#settings
    this.#known = { hosts: new Hosts({ host, port, publicUrl, more }), port }
  }

  allows(request: IncomingMessage): boolean {
    return this.#known?.hosts.allows(request) ?? false
  }

  /** @throws `blocked` for a request of another site */
  refuseCrossSite(request: IncomingMessage): void {
    if (this.#known) refuseCrossSite(request, this.#known.hosts)
  }

  /** @throws `blocked` for a request that a page of another origin sent */
  refuseOtherOrigin(request: IncomingMessage): void {
    if (this.#known) refuseOtherOrigin(request, this.#known.hosts)
  }
}
