/**
 * Which URLs a webhook may have: docs/DEPLOYMENTS.md#webhooks. Deployments check literal addresses only; this
 * stack also resolves names, so that a name with a private address is refused too.
 */
import { plainHost } from '#node/net/addresses.ts'
import {
  checkedHost,
  isAllowed,
  isBelow,
  literalHostProblem,
  systemResolver,
  type HostProblem,
  type HostRules,
  type Resolver,
} from './reachableHosts.ts'

/** @returns why a webhook of this service may not have this URL, or null */
export type AddressPolicy = (url: string, service: string) => Promise<string | null>

const messages: Record<HostProblem, string> = {
  own: 'Webhook URL must not point at an engine of this deployment.',
  reserved: 'Webhook URL resolves to a private or reserved address.',
}

/** The addresses that a request to this URL may connect to, or why it may not be sent. */
export type WebhookGuard = (
  url: string,
  service: string,
) => Promise<{ problem: string } | { problem: null; addresses: readonly string[] }>

/** Resolves the name of a webhook once, so that the request goes to the addresses that were checked. */
export function webhookGuard(rules: HostRules, resolve: Resolver = systemResolver): WebhookGuard {
  return async (url, service) => {
    const problem = literalProblem(url, service, rules)
    if (problem !== null) return { problem }
    const checked = await checkedHost(plainHost(new URL(url).hostname), rules, resolve)
    return checked.problem === null ? checked : { problem: messages[checked.problem] }
  }
}

export function addressPolicy(rules: HostRules, resolve: Resolver = systemResolver): AddressPolicy {
  return async (url, service) => {
    const problem = literalProblem(url, service, rules)
    if (problem !== null || isSettled(url, rules)) return problem
    return (await webhookGuard(rules, resolve)(url, service)).problem
  }
}

/** Whether the name need not be resolved to know that its host is allowed. */
function isSettled(url: string, rules: HostRules): boolean {
  return isAllowed(plainHost(new URL(url).hostname), rules)
}

/** The problem with a URL that is known before its name is resolved. */
export function literalProblem(url: string, service: string, rules: HostRules): string | null {
  const parsed = new URL(url)
  const hostname = plainHost(parsed.hostname)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return 'Webhook URL must use http or https.'
  if (parsed.username || parsed.password) return 'Webhook URL must not contain a user name or password.'
  // An allowed host may receive messages for Slack, so that messages can be tried out.
  if (service === 'slack' && !isBelow(hostname, 'slack.com') && !isAllowed(hostname, rules))
    return 'Slack webhook URL must be on slack.com.'
  const problem = literalHostProblem(hostname, rules)
  return problem && messages[problem]
}
