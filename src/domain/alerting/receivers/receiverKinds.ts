/**
 * Which well-known receiver a webhook notifies. It is derived from what is stored, so that a webhook that was created by a
 * script, Terraform or another page is recognized too.
 */
import { emailGatewayId, isHostBelow } from './emailMarks.ts'

export const receiverKinds = ['slack', 'teams', 'pagerduty', 'discord', 'email', 'incidentio', 'generic'] as const
/** `generic`: any other HTTP endpoint. */
export type ReceiverKind = (typeof receiverKinds)[number]

export const receiverNames: Record<ReceiverKind, string> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  discord: 'Discord',
  email: 'Email gateway',
  incidentio: 'incident.io',
  generic: 'Custom',
}

/** The properties that tell the service of a webhook. The path of the URL may be masked. */
interface ReceiverFields {
  service: string
  url?: string | null | undefined
  body?: string | null | undefined
}

/** The receiver of a webhook; null for a service that this console does not know. */
export function receiverKindOf({ service, url, body }: ReceiverFields): ReceiverKind | null {
  if (service === 'slack' || service === 'incidentio') return service
  if (service !== 'generic') return null
  return kindOfHost(hostOf(url)) ?? kindOfBody(body ?? '') ?? 'generic'
}

/** Services that only some deployments have, and which they send to by themselves. */
const otherServices: Record<string, string> = { slack_api: 'Slack app', pagerduty_api: 'PagerDuty' }

/** The receiver by its name. An unknown service is shown unchanged. */
export function receiverName(webhook: ReceiverFields): string {
  const kind = receiverKindOf(webhook)
  return kind ? receiverNames[kind] : (otherServices[webhook.service] ?? webhook.service)
}

/** The host of an address in lower case; empty for none. */
export function hostOf(url: string | null | undefined): string {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url?.trim() ?? '')?.[1]?.toLowerCase() ?? ''
}

const hosts: readonly (readonly [domain: string, kind: ReceiverKind])[] = [
  ['slack.com', 'slack'],
  ['slack-gov.com', 'slack'],
  ['webhook.office.com', 'teams'],
  ['pagerduty.com', 'pagerduty'],
  ['discord.com', 'discord'],
  ['discordapp.com', 'discord'],
  ['incident.io', 'incidentio'],
]

function kindOfHost(host: string): ReceiverKind | undefined {
  if (emailGatewayId({ host })) return 'email'
  return hosts.find(([domain]) => isHostBelow(host, domain))?.[1]
}

/** The format of a body says who reads it, also behind a proxy or a workflow with an address of its own. */
function kindOfBody(body: string): ReceiverKind | undefined {
  if (body.includes('application/vnd.microsoft.card.adaptive')) return 'teams'
  if (/"routing_key"\s*:/.test(body)) return 'pagerduty'
  if (/"embeds"\s*:/.test(body)) return 'discord'
  return emailGatewayId({ body }) ? 'email' : undefined
}
