/**
 * Which addresses a webhook may have: section 6 of the open-source reference. Deployments look at literal addresses only;
 * this stack also resolves names, so that a name for a private address is no way round.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressRules {
  /** Host names and addresses that are taken whatever they resolve to. */
  allowed: readonly string[]
  /** Hosts of the stack's own engines. */
  own: readonly string[]
}

/** The addresses of a name; none where it has none. */
export type Resolver = (hostname: string) => Promise<readonly string[]>

/** @returns why a webhook of this service may not have this address, or null */
export type AddressPolicy = (url: string, service: string) => Promise<string | null>

const reserved = 'Webhook URL resolves to a private or reserved address.'

export function addressPolicy(rules: AddressRules, resolve: Resolver = systemResolver): AddressPolicy {
  return async (url, service) => {
    const { hostname, problem } = literalProblem(url, service, rules)
    if (problem !== null || isIP(hostname) || rules.allowed.includes(hostname)) return problem
    const addresses = await resolve(hostname)
    return addresses.every(isPublic) ? null : reserved
  }
}

/** What the address itself tells, before any name is resolved. `hostname` is as a name server or a socket takes it. */
export function literalProblem(
  url: string,
  service: string,
  { allowed, own }: AddressRules,
): { hostname: string; problem: string | null } {
  const { protocol, hostname: host, username, password } = new URL(url)
  // `localhost.` is `localhost`; an IPv6 address stands in brackets.
  const hostname = host.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1')
  const problem = (text: string | null) => ({ hostname, problem: text })
  if (protocol !== 'http:' && protocol !== 'https:') return problem('Webhook URL must use http or https.')
  if (username || password) return problem('Webhook URL must not contain a user name or password.')
  if (service === 'slack' && !isBelow(hostname, 'slack.com')) return problem('Slack webhook URL must be on slack.com.')
  if (allowed.includes(hostname)) return problem(null)
  if (own.includes(hostname)) return problem('Webhook URL must not point at an engine of this deployment.')
  const local = isBelow(hostname, 'localhost') || hostname === ''
  return problem(local || (isIP(hostname) && !isPublic(hostname)) ? reserved : null)
}

const isBelow = (hostname: string, domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)

/** An address of a cloud's own that lies in the public range. */
const platformAddress = '168.63.129.16'

/** Whether an address is one of the internet's: everything else is private, reserved, or a way into those. */
export function isPublic(address: string): boolean {
  if (!isIP(address)) return false
  // An IPv4 address inside of an IPv6 one counts as itself.
  const parsed = ipaddr.process(address.replace(/%.*$/, ''))
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv4) return parsed.toString() !== platformAddress
  const [first = 0, , , , fifth = 0, sixth = 0] = parsed.parts
  const tunnelled = (fifth & 0xfdff) === 0 && sixth === 0x5efe
  return first >>> 13 === 1 && !tunnelled
}

/** Milliseconds for a name server. A name that cannot be resolved now is none that leads inside. */
const patience = 2000

const systemResolver: Resolver = async (hostname) => {
  const late = new Promise<readonly string[]>((done) => setTimeout(() => done([]), patience).unref())
  const found = lookup(hostname, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, late])
}
