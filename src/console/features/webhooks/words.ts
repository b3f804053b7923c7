/** Webhooks in words. */
import type { WebhookUse } from '#console/api/usage.ts'

const services: Record<string, string> = {
  slack: 'Slack',
  generic: 'Generic',
  incidentio: 'incident.io',
  slack_api: 'Slack app',
  pagerduty_api: 'PagerDuty',
}

/** A service that this console does not know is called as it is spelled. */
export const serviceWords = (service: string) => services[service] ?? service

/** "1 webhook", "3 webhooks". */
export const countedWebhooks = ({ length }: readonly unknown[]) => `${length} webhook${length === 1 ? '' : 's'}`

/** "3 alerts"; "none". */
export function usesWords(uses: readonly WebhookUse[]): string {
  if (uses.length === 0) return 'none'
  return uses.length === 1 ? '1 alert' : `${uses.length} alerts`
}

/** The API's own refusals that name no field: these are the fields they mean. */
export const meantFields: readonly (readonly [says: RegExp, field: string])[] = [
  [/service and name already exists/i, 'name'],
  [/webhook url/i, 'url'],
]
