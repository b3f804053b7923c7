/**
 * Which hosts data pipes may reach. The engine asks whatever address it is given, and what it was answered can be read in a
 * table: without this, whoever may make a pipe could read this machine's own network and a cloud's metadata.
 * The engine resolves names again when it connects, so a name that changes in between is not caught.
 */
import { refuse } from '../errors.ts'
import { hostProblem, plainHost, systemResolver, type HostRules, type Resolver } from '../hosts.ts'

/** @returns why a host may not be reached, or null */
export type Reach = (host: string) => Promise<string | null>

/** One host as everything reads it: lists, wildcards and user names would mean something else to the engine. */
const host = String.raw`[\w.-]+|\[[0-9a-f:.]+\]`
const onlyHost = new RegExp(`^(?:${host})$`, 'i')
const hostOfUrl = new RegExp(`^https?://(${host})(?::\\d+)?(?=[/?]|$)`, 'i')

export function reachOf(rules: HostRules, resolve: Resolver = systemResolver): Reach {
  return async (name) => {
    const url = `http://${name}/`
    if (!onlyHost.test(name) || !URL.canParse(url)) return 'must name one host'
    const problem = await hostProblem(plainHost(new URL(url)), rules, resolve)
    if (problem === null) return null
    const what = problem === 'own' ? 'an engine of this deployment' : 'a private or reserved address'
    return `${name} is ${what}; PIPE_HOSTNAME_ALLOWLIST names those that data pipes may reach`
  }
}

/** @throws Refusal 400 for a server that may not be reached */
export async function refuseHost(field: string, name: string, reach: Reach): Promise<void> {
  const problem = await reach(name)
  if (problem !== null) throw refuse(`${field}: ${problem}`)
}

/** @throws Refusal 400 for an address, wildcards in its path included, that leads or may lead elsewhere */
export async function refuseUrl(field: string, url: string, reach: Reach): Promise<void> {
  const name = hostOfUrl.exec(url)?.[1]
  if (name === undefined) throw refuse(`${field}: must name one host, without wildcards, user name or password`)
  // To the engine these part one address from the next.
  if (url.includes('|') || hasCommaOutsideBraces(url)) throw refuse(`${field}: must be one address`)
  await refuseHost(field, name, reach)
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
