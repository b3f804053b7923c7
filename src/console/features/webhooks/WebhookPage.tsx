import { readAhead } from '#console/api/queries.ts'
import { alerts } from '#contract/alerts.ts'
import { webhooks } from '#contract/webhooks.ts'
import { WebhookDetail } from './WebhookDetail.tsx'
import { WebhookGate } from './WebhookGate.tsx'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, webhooks.list, {})
  readAhead(connectionId, alerts.list, {})
}

export default function WebhookPage() {
  return <WebhookGate title="Webhook">{(webhook) => <WebhookDetail webhook={webhook} />}</WebhookGate>
}
