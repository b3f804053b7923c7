/** The checks that come before a request means anything: its raw form, the host it was sent to, the page it came from. */
import type { IncomingMessage } from 'node:http'
import { consoleHeader } from '#contract/connections.ts'
import { refusal } from './errors.ts'

const longestUrl = 2048

/**
 * One spelling of a path, or none: whatever another parser could read otherwise is refused before any route is looked up.
 * Returns what is wrong, null when nothing is.
 */
export function oddUrl(url: string): string | null {
  if (url.length > longestUrl) return `longer than ${longestUrl} characters`
  const [path = '', query] = url.split(/\?(.*)/s)
  if (!path.startsWith('/')) return 'not a path'
  if (!/^[A-Za-z0-9\-._~!$&'()*+,=:@/]*$/.test(path)) return 'a path with characters that have another spelling'
  if (/\/\/|\/\.{1,2}(\/|$)/.test(path)) return 'a path with empty or dotted segments'
  // Browsers leave brackets, braces and the like in a query as they were typed.
  if (query !== undefined && !/^(?:[A-Za-z0-9\-._~!$&'()*+,=:@/?[\]{}|\\^`]|%[0-9A-Fa-f]{2})*$/.test(query))
    return 'a malformed query'
  return null
}

/** The hosts under which the gateway answers, as they stand in a Host header, and the origins of their pages. */
export class Hosts {
  private readonly hosts: Set<string>
  private readonly publicUrl: URL | undefined

  constructor(options: { host: string; port: number; publicUrl?: string | undefined; more?: readonly string[] }) {
    const { host, port, publicUrl, more = [] } = options
    this.publicUrl = publicUrl ? new URL(publicUrl) : undefined
    const names = ['localhost', '127.0.0.1', '[::1]', ...(isEverywhere(host) ? [] : [bracketed(host)])]
    const spelled = names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
    this.hosts = new Set([...spelled, ...more, ...(this.publicUrl ? [this.publicUrl.host] : [])].map(lower))
  }

  /** Exactly one Host header, and one of ours: a name that was made to resolve here is not. */
  allows(request: IncomingMessage): boolean {
    const given = request.rawHeaders.filter((name, at) => at % 2 === 0 && lower(name) === 'host')
    return given.length === 1 && this.hosts.has(lower(request.headers.host ?? ''))
  }

  /** Whether an Origin header names the page that this host serves. */
  isOwnOrigin(origin: string, host: string | undefined): boolean {
    const schemes = this.publicUrl?.host === lower(host ?? '') ? [this.publicUrl.protocol] : ['http:', 'https:']
    return schemes.some((scheme) => lower(origin) === `${scheme}//${lower(host ?? '')}`)
  }

  /** Where a person opens the console. */
  address(host: string, port: number): string {
    return this.publicUrl?.origin ?? this.listening(host, port)
  }

  /** Where the gateway is reached on this machine. */
  listening(host: string, port: number): string {
    return `http://${isEverywhere(host) ? '127.0.0.1' : bracketed(host)}:${port}`
  }
}

/** Throws `blocked` for a request to the API that is not one of our own page's (or of a tool that says it means it). */
export function refuseForeign(request: IncomingMessage, hosts: Hosts): void {
  const { headers, method = '' } = request
  const site = headers['sec-fetch-site']
  const { origin } = headers
  if (site !== undefined && site !== 'same-origin') throw refusal(403, 'Requests of other sites are not answered.')
  if (origin !== undefined && !hosts.isOwnOrigin(origin, headers.host)) {
    throw refusal(403, 'Requests of other origins are not answered.')
  }
  if (headers[consoleHeader] === undefined) throw refusal(403, `The header ${consoleHeader} is missing.`)
  const reads = method === 'GET' || method === 'HEAD'
  if (!reads && site === undefined && origin === undefined) {
    throw refusal(403, 'A change must say where it comes from: the Origin header is missing.')
  }
  if (hasBody(headers) && !/^application\/json(?:; ?charset=utf-8)?$/i.test(headers['content-type'] ?? '')) {
    throw refusal(415, 'Bodies are application/json.')
  }
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const lower = (text: string) => text.toLowerCase()
const isEverywhere = (host: string) => host === '0.0.0.0' || host === '::'
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)
