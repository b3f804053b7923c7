/**
 * Which hosts webhooks and data pipes may reach. A pipe stores responses in a table, so without this check anybody who
 * can create a pipe could read the private network and the cloud's metadata. A name is resolved once for each
 * connection, and the connection goes to the addresses that were checked: DNS rebinding has no effect.
 */
import { isIPv4, isIPv6, isIP } from 'node:net'
import { lookup } from 'node:dns/promises'
import { plainHost, isPublic } from '#node/net/addresses.ts'
import { refuse } from '../refusal.ts'

/** Why a host may not be reached, or its addresses (none if its name does not resolve). */
type HostCheckResult = { problem: string } | { problem: null; addresses: readonly string[] }
export type HostCheck = (host: string) => Promise<HostCheckResult>

/** A single host that every parser reads alike: the engine expands lists and wildcards. */
const host = String.raw`[\w.-]+|\[[0-9a-f:.]+\]`
const onlyHost = new RegExp(`^(?:${host})$`, 'i')
const hostOfUrl = new RegExp(`^https?://(${host})(?::\\d+)?(?=[/?]|$)`, 'i')

export function createHostCheck(rules: HostRules, resolve: Resolver = systemResolver): HostCheck {
  return async (name) => {
    // Brokers, databases and sockets spell IPv6 addresses without brackets.
    const spelled = isIPv6(name) ? `[${name}]` : name
    const url = `http://${spelled}/`
    if (!onlyHost.test(spelled) || !URL.canParse(url)) return { problem: 'must name one host' }
    const hostname = plainHost(new URL(url).hostname)
    const checked = await checkedHost(hostname, rules, resolve)
    return checked.problem === null ? checked : { problem: refusal(name, checked.problem) }
  }
}

function refusal(name: string, problem: 'own' | 'reserved'): string {
  const what = problem === 'own' ? 'an engine of this deployment' : 'a private or reserved address'
  return `${name} is ${what}; add it to PIPE_HOSTNAME_ALLOWLIST to allow it for data pipes`
}

/** The address to connect to: IPv4 if there is one, which every network supports. */
export function firstAddress(addresses: readonly string[]): string | undefined {
  return addresses.find((address) => isIPv4(address)) ?? addresses[0]
}

/**
 * @returns the addresses of the host
 * @throws Refusal 400 for a host that may not be reached
 */
export async function refuseHost(field: string, name: string, checkHost: HostCheck): Promise<readonly string[]> {
  const checked = await checkHost(name)
  if (checked.problem !== null) throw refuse(`${field}: ${checked.problem}`)
  return checked.addresses
}

/** @throws Refusal 400 for a URL, with or without wildcards in its path, that may lead to a host that is not allowed */
export async function refuseUrl(field: string, url: string, checkHost: HostCheck): Promise<void> {
  const name = hostOfUrl.exec(url)?.[1]
  if (name === undefined) throw refuse(`${field}: must name one host, without wildcards, user name or password`)
  // The engine splits addresses at these.
  if (url.includes('|') || hasCommaOutsideBraces(url)) throw refuse(`${field}: must be one address`)
  await refuseHost(field, name, checkHost)
}

function hasCommaOutsideBraces(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '{') depth++
    else if (character === '}') depth--
    else if (character === ',' && depth <= 0) return true
  }
  return false
}

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
type CheckedHost = { problem: HostProblem } | { problem: null; addresses: readonly string[] }

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
