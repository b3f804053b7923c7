/**
 * Which hosts data pipes may reach. What a pipe was answered can be read in a table: without this, whoever may make a pipe
 * could read this machine's own network and a cloud's metadata. A name is resolved once for each connection, and the addresses
 * that were looked at are the ones that are connected to: what the name leads to a moment later does not matter.
 */
import { isIP, isIPv4 } from 'node:net'
import { refuse } from '../errors.ts'
import { isPublic, literalHostProblem, plainHost, systemResolver, type HostRules, type Resolver } from './hosts.ts'

/** Why a host may not be reached; or its addresses, none where its name leads nowhere now. */
export type HostCheckResult = { problem: string } | { problem: null; addresses: readonly string[] }
export type HostCheck = (host: string) => Promise<HostCheckResult>

/** One host as everything reads it: lists, wildcards and user names would mean something else to the engine. */
const host = String.raw`[\w.-]+|\[[0-9a-f:.]+\]`
const onlyHost = new RegExp(`^(?:${host})$`, 'i')
const hostOfUrl = new RegExp(`^https?://(${host})(?::\\d+)?(?=[/?]|$)`, 'i')

export function hostCheck(rules: HostRules, resolve: Resolver = systemResolver): HostCheck {
  return async (name) => {
    const url = `http://${name}/`
    if (!onlyHost.test(name) || !URL.canParse(url)) return { problem: 'must name one host' }
    const hostname = plainHost(new URL(url))
    const literal = literalHostProblem(hostname, rules)
    if (literal !== null) return { problem: refusal(name, literal) }
    const addresses = isIP(hostname) ? [hostname] : await resolve(hostname)
    const isAllowed = rules.allowed.includes(hostname) || addresses.every(isPublic)
    return isAllowed ? { problem: null, addresses } : { problem: refusal(name, 'reserved') }
  }
}

function refusal(name: string, problem: 'own' | 'reserved'): string {
  const what = problem === 'own' ? 'an engine of this deployment' : 'a private or reserved address'
  return `${name} is ${what}; PIPE_HOSTNAME_ALLOWLIST names those that data pipes may checkHost`
}

/** The address to connect to: of the older kind where there is one, which every network carries. */
export function firstAddress(addresses: readonly string[]): string | undefined {
  return addresses.find((address) => isIPv4(address)) ?? addresses[0]
}

/**
 * @returns the host's addresses
 * @throws Refusal 400 for a host that may not be reached
 */
export async function refuseHost(field: string, name: string, checkHost: HostCheck): Promise<readonly string[]> {
  const reached = await checkHost(name)
  if (reached.problem !== null) throw refuse(`${field}: ${reached.problem}`)
  return reached.addresses
}

/** @throws Refusal 400 for an address, wildcards in its path included, that leads or may lead elsewhere */
export async function refuseUrl(field: string, url: string, checkHost: HostCheck): Promise<void> {
  const name = hostOfUrl.exec(url)?.[1]
  if (name === undefined) throw refuse(`${field}: must name one host, without wildcards, user name or password`)
  // To the engine these part one address from the next.
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
