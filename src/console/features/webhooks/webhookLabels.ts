/** Webhooks in words. */
import type { WebhookUse } from '#console/references/usage.ts'
import { counted } from '#console/ui/format.ts'

const services: Record<string, string> = {
  slack: 'Slack',
  generic: 'Generic',
  incidentio: 'incident.io',
  slack_api: 'Slack app',
  pagerduty_api: 'PagerDuty',
}

/** A service that this console does not know is called as it is spelled. */
export const formatService = (service: string) => services[service] ?? service

/** "3 alerts"; "none". */
export function formatWebhookUses(uses: readonly WebhookUse[]): string {
  if (uses.length === 0) return 'none'
  return counted(uses.length, 'alert')
}

/** The API's own refusals that name no field: these are the fields they mean. */
export const meantFields: readonly (readonly [says: RegExp, field: string])[] = [
  [/service and name already exists/i, 'name'],
  [/webhook url/i, 'url'],
]
