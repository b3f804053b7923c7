/** Which hosts webhooks and data pipes may reach. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublic } from '#node/net/addresses.ts'

export interface HostRules {
  /** Host names and addresses that are allowed whatever they resolve to. */
  allowed: readonly string[]
  /** Whether an allowed name stands for the names below it, too. */
  allowsBelow?: boolean
  /** Hosts of the stack's own engines. */
  own: readonly string[]
}

/** Why a host may not be reached: it is one of the stack's own engines, or private or reserved. */
export type HostProblem = 'own' | 'reserved'

/** The addresses of a name; empty if it has none. */
export type Resolver = (hostname: string) => Promise<readonly string[]>

/** A problem, or the addresses of the host: none if its name does not resolve. */
export type CheckedHost = { problem: HostProblem } | { problem: null; addresses: readonly string[] }

/** @param hostname as `plainHost` spells it */
export async function checkedHost(hostname: string, rules: HostRules, resolve: Resolver): Promise<CheckedHost> {
  const problem = literalHostProblem(hostname, rules)
  if (problem !== null) return { problem }
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname)
  return isAllowed(hostname, rules) || addresses.every(isPublic)
    ? { problem: null, addresses }
    : { problem: 'reserved' }
}

/** The problem with a host that is known before its name is resolved. */
export function literalHostProblem(hostname: string, rules: HostRules): HostProblem | null {
  if (isAllowed(hostname, rules)) return null
  if (rules.own.includes(hostname)) return 'own'
  const local = isBelow(hostname, 'localhost') || hostname === ''
  return local || (isIP(hostname) && !isPublic(hostname)) ? 'reserved' : null
}

/** Whether the host is on the list of allowed ones. */
export const isAllowed = (hostname: string, { allowed, allowsBelow = false }: HostRules) =>
  allowed.some((name) => hostname === name || (allowsBelow && !isIP(name) && isBelow(hostname, name)))

export const isBelow = (hostname: string, domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)

/** Milliseconds to wait for the DNS server. A name that cannot be resolved leads to no private address. */
const timeoutMs = 2000

export const systemResolver: Resolver = async (hostname) => {
  const timeout = new Promise<readonly string[]>((done) => setTimeout(() => done([]), timeoutMs).unref())
  const found = lookup(hostname, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, timeout])
}
