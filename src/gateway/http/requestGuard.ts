/** The first checks of every request: its raw URL, the host it was sent to, and the page it came from. */
import type { IncomingMessage } from 'node:http'
import { consoleHeader } from '#contract/console/connections.ts'
import { refusal } from '#node/upstream/apiFailure.ts'

const maxUrlLength = 2048
/** Providers send people back with a code, which some make long. */
const maxAnswerLength = 8192

/**
 * Refuses URLs that another parser could read differently, before any route is looked up.
 * @returns the problem, or null
 */
export function urlProblem(url: string): string | null {
  const limit = url.startsWith('/sign-in/') ? maxAnswerLength : maxUrlLength
  if (url.length > limit) return `it is longer than ${limit} characters`
  const [path = '', query] = url.split(/\?(.*)/s)
  if (!path.startsWith('/')) return 'it is not a path'
  if (!/^[A-Za-z0-9\-._~!$&'()*+,=:@/]*$/.test(path)) return 'the path has characters that are not allowed'
  if (/\/\/|\/\.{1,2}(\/|$)/.test(path)) return 'the path has empty or dotted segments'
  // Browsers do not encode brackets, braces and the like in a query.
  if (query !== undefined && !/^(?:[A-Za-z0-9\-._~!$&'()*+,=:@/?[\]{}|\\^`]|%[0-9A-Fa-f]{2})*$/.test(query))
    return 'the query is malformed'
  return null
}

/** The hosts that the gateway serves, as Host headers spell them, and the origins of their pages. */
export class Hosts {
  readonly #hosts: Set<string>
  readonly #publicUrl: URL | undefined

  constructor(options: { host: string; port: number; publicUrl?: string | undefined; more?: readonly string[] }) {
    const { host, port, publicUrl, more = [] } = options
    this.#publicUrl = publicUrl ? new URL(publicUrl) : undefined
    const names = ['localhost', '127.0.0.1', '[::1]', ...(isEverywhere(host) ? [] : [bracketed(host)])]
    const spelled = names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
    this.#hosts = new Set([...spelled, ...more, ...(this.#publicUrl ? [this.#publicUrl.host] : [])].map(lower))
  }

  /** Requires exactly one Host header that names one of the hosts. This prevents DNS rebinding. */
  allows(request: IncomingMessage): boolean {
    const hostHeaders = request.rawHeaders.filter((name, at) => at % 2 === 0 && lower(name) === 'host')
    return hostHeaders.length === 1 && this.#hosts.has(lower(request.headers.host ?? ''))
  }

  /** Whether an Origin header names the page that this host serves. */
  isOwnOrigin(origin: string, host: string | undefined): boolean {
    const schemes = this.#publicUrl?.host === lower(host ?? '') ? [this.#publicUrl.protocol] : ['http:', 'https:']
    return schemes.some((scheme) => lower(origin) === `${scheme}//${lower(host ?? '')}`)
  }

  /** The origin at which people open the console. */
  address(host: string, port: number): string {
    return this.#publicUrl?.origin ?? this.listening(host, port)
  }

  /** The URL of the gateway on this machine. */
  listening(host: string, port: number): string {
    return `http://${isEverywhere(host) ? '127.0.0.1' : bracketed(host)}:${port}`
  }
}

/** @throws `blocked` for a request that a page of another origin sent. Programs send no origin */
export function refuseOtherOrigin({ headers }: IncomingMessage, hosts: Hosts): void {
  const { origin } = headers
  if (origin !== undefined && !hosts.isOwnOrigin(origin, headers.host)) {
    throw refusal(403, 'Requests from other origins are not allowed.')
  }
}

/** Accepts API requests from the console's own page, and from tools that send the console's header. @throws `blocked` */
export function refuseCrossSite(request: IncomingMessage, hosts: Hosts): void {
  const { headers, method = '' } = request
  const site = headers['sec-fetch-site']
  const { origin } = headers
  if (site !== undefined && site !== 'same-origin') throw refusal(403, 'Requests from other sites are not allowed.')
  refuseOtherOrigin(request, hosts)
  if (headers[consoleHeader] === undefined) throw refusal(403, `The header ${consoleHeader} is missing.`)
  const reads = method === 'GET' || method === 'HEAD'
  if (!reads && site === undefined && origin === undefined) {
    throw refusal(403, 'Requests that change something must have an Origin header.')
  }
  refuseOtherContent(request)
}

/** @throws `blocked` for a body that is not JSON */
export function refuseOtherContent({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (hasBody(headers) && !/^application\/json(?:; ?charset=utf-8)?$/i.test(headers['content-type'] ?? '')) {
    throw refusal(415, 'The content type of the body must be application/json.')
  }
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const lower = (text: string) => text.toLowerCase()
const isEverywhere = (host: string) => host === '0.0.0.0' || host === '::'
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)
