/** Checks the settings of a webhook against the documentation of its receiver. */
import { addressesOf, partOf, routingKeyPart } from './bodyParts.ts'
import { emailGatewayOf, type EmailGateway } from './emailGateways.ts'
import { isHostBelow } from './emailMarks.ts'
import { hostOf, receiverNames, type ReceiverKind } from './receiverKinds.ts'
import { routingKeyPlaceholder } from './routingKey.ts'

/**
 * The unusual property of an address; null if nothing is. It is a warning and no error: compatible servers and proxies have
 * addresses of their own.
 */
export function addressWarning(kind: ReceiverKind, url: string, body = ''): string | null {
  const host = hostOf(url)
  if (host === '') return null
  return addressRules[kind]?.(host, pathOf(url), body) ?? null
}

type AddressRule = (host: string, path: string, body: string) => string | null

const slackStart = 'https://hooks.slack.com/services/'
const pagerDutyUrl = 'https://events.pagerduty.com/v2/enqueue'
const teamsHosts = ['logic.azure.com', 'powerplatform.com', 'powerautomate.com', 'azure-apihub.net']

const addressRules: Partial<Record<ReceiverKind, AddressRule>> = {
  slack(host, path) {
    if (!isHostBelow(host, 'slack.com') && !isHostBelow(host, 'slack-gov.com')) {
      return `Slack’s URLs begin with ${slackStart}. Another server must accept Slack’s messages, as Mattermost and Rocket.Chat do, and the deployment must allow its host.`
    }
    return /^\/(?:services|workflows|triggers)\//.test(path)
      ? null
      : `The URL of an incoming webhook begins with ${slackStart}.`
  },
  teams(host) {
    if (isHostBelow(host, 'webhook.office.com')) {
      return 'This is a connector of Office 365, which Microsoft has retired. Create a workflow with the trigger “When a Teams webhook request is received” and use its URL.'
    }
    if (teamsHosts.some((domain) => isHostBelow(host, domain))) return null
    return 'URLs of Teams workflows are on logic.azure.com or powerplatform.com. Another server must accept adaptive cards.'
  },
  pagerduty(host, path) {
    if (!isHostBelow(host, 'pagerduty.com')) {
      return `PagerDuty’s URL is ${pagerDutyUrl}. Another server must accept its Events API v2.`
    }
    const isEvents = host === 'events.pagerduty.com' || host === 'events.eu.pagerduty.com'
    return isEvents && path === '/v2/enqueue'
      ? null
      : `Events are sent to ${pagerDutyUrl}, in the EU to https://events.eu.pagerduty.com/v2/enqueue.`
  },
  discord(host, path) {
    if (!isHostBelow(host, 'discord.com') && !isHostBelow(host, 'discordapp.com')) {
      return 'Discord’s URLs begin with https://discord.com/api/webhooks/. Another server must accept its embeds.'
    }
    const suffix = /\/(slack|github)\/?$/.exec(path)?.[1]
    if (suffix) return `Remove /${suffix} from the end: that address does not accept embeds.`
    return /^\/api\/(?:v\d+\/)?webhooks\/[^/]+\/[^/]+\/?$/.test(path)
      ? null
      : 'The URL of a channel’s webhook is https://discord.com/api/webhooks/ followed by an ID and a token.'
  },
  email(host, _, body) {
    const [gateway, written] = [emailGatewayOf({ host }), emailGatewayOf({ body })]
    if (!written || gateway === written) return null
    return gateway
      ? `This is the URL of ${gateway.label}, but the message is that of ${written.label}.`
      : `${written.label}’s URL is ${written.url}. Another server must accept its messages.`
  },
  incidentio(host, path) {
    const isSource = isHostBelow(host, 'incident.io') && /^\/v2\/alert_events\/http\/[^/]/.test(path)
    return isSource
      ? null
      : 'The URL of an HTTP alert source begins with https://api.incident.io/v2/alert_events/http/.'
  },
}

/** Which value of a body is wrong. */
export interface BodyProblem {
  part: 'routingKey' | 'sender' | 'recipients'
  message: string
}

/** Values that the receiver needs and the body does not have. */
export function bodyProblems(kind: ReceiverKind | null, body: string): BodyProblem[] {
  if (kind === 'pagerduty') {
    const key = partOf(body, routingKeyPart)
    const isMissing = key !== null && (key.trim() === '' || key === routingKeyPlaceholder)
    return isMissing
      ? [{ part: 'routingKey', message: 'Enter the integration key of the Events API v2 integration' }]
      : []
  }
  const gateway = kind === 'email' ? emailGatewayOf({ body }) : undefined
  if (!gateway) return []
  const parts = { sender: partOf(body, gateway.sender), recipients: partOf(body, gateway.recipients) }
  return (['sender', 'recipients'] as const).flatMap((part) => {
    const text = parts[part]
    const message =
      text === null ? null : addressProblem(part === 'sender' ? [text.trim()] : addressesOf(text), gateway)
    return message === null ? [] : [{ part, message }]
  })
}

function addressProblem(addresses: readonly string[], { hasNames, label }: EmailGateway): string | null {
  const wrong = addresses.length === 0 ? '' : addresses.find((address) => !isAddress(address, hasNames))
  if (wrong === undefined) return null
  if (wrong === '') return 'Enter an email address, such as oncall@example.com'
  return isAddress(wrong, true)
    ? `${label} takes the address without a name: ${/<([^<>]*)>/.exec(wrong)?.[1] ?? ''}`
    : `${wrong} is not an email address, such as oncall@example.com`
}

/** An address alone or after a name, `On call <oncall@example.com>`, or one that the template fills in. */
function isAddress(text: string, hasNames: boolean): boolean {
  if (text.startsWith('{{') && text.endsWith('}}')) return true
  const address = (hasNames ? /^[^<>]*<([^<>]*)>$/.exec(text)?.[1] : undefined) ?? text
  return /^[^\s@<>{}"]+@[^\s@<>{}"]+\.[^\s@<>{}".]+$/.test(address)
}

/** The format of an integration key of PagerDuty. Compatible servers have others. */
export function routingKeyWarning(key: string): string | null {
  if (key === '' || /^[A-Za-z0-9]{32}$/.test(key) || key.startsWith('{{')) return null
  return `${receiverNames.pagerduty}’s integration keys have 32 letters and digits; this one has ${key.length} characters.`
}

/** The path of an address, without its query. */
function pathOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url.trim())?.[1] ?? ''
}
