/** Which hosts the stack may be led to by what somebody wrote into a webhook or a data pipe. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface HostRules {
  /** Host names and addresses that are taken whatever they resolve to. */
  allowed: readonly string[]
  /** Hosts of the stack's own engines. */
  own: readonly string[]
}

/** Why a host may not be reached: it is one of the stack's own engines, or private or reserved. */
export type HostProblem = 'own' | 'reserved'

/** The addresses of a name; none where it has none. */
export type Resolver = (hostname: string) => Promise<readonly string[]>

/** A host of a parsed URL as a name server or a socket takes it. */
export function plainHost({ hostname }: URL): string {
  // `localhost.` is `localhost`; an IPv6 address stands in brackets.
  return hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1')
}

/** @param hostname as `plainHost` spells it */
export async function hostProblem(hostname: string, rules: HostRules, resolve: Resolver): Promise<HostProblem | null> {
  const problem = literalHostProblem(hostname, rules)
  if (problem !== null || isIP(hostname) || rules.allowed.includes(hostname)) return problem
  const addresses = await resolve(hostname)
  return addresses.every(isPublic) ? null : 'reserved'
}

/** What the host itself tells, before any name is resolved. */
export function literalHostProblem(hostname: string, { allowed, own }: HostRules): HostProblem | null {
  if (allowed.includes(hostname)) return null
  if (own.includes(hostname)) return 'own'
  const local = isBelow(hostname, 'localhost') || hostname === ''
  return local || (isIP(hostname) && !isPublic(hostname)) ? 'reserved' : null
}

export const isBelow = (hostname: string, domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)

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
const timeout = 2000

export const systemResolver: Resolver = async (hostname) => {
  const late = new Promise<readonly string[]>((done) => setTimeout(() => done([]), timeout).unref())
  const found = lookup(hostname, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, late])
}
