/**
 * Which hosts data pipes may reach. A pipe stores responses in a table, so without this check anybody who can create a pipe
 * could read the private network and the cloud's metadata. A name is resolved once for each connection, and the connection
 * goes to the addresses that were checked: DNS rebinding has no effect.
 */
import { isIPv4, isIPv6 } from 'node:net'
import { plainHost } from '#node/net/addresses.ts'
import { refuse } from '../refusal.ts'
import { checkedHost, systemResolver, type HostRules, type Resolver } from './hostRules.ts'

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
