import { readAhead } from '#console/api/queries.ts'
import { alerts } from '#contract/alerts.ts'
import { webhooks } from '#contract/webhooks.ts'
import { WebhookDetail } from './WebhookDetail.tsx'
import { WebhookLoader } from './WebhookLoader.tsx'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, webhooks.list, {})
  readAhead(connectionId, alerts.list, {})
}

export default function WebhookPage() {
  return <WebhookLoader title="Webhook">{(webhook) => <WebhookDetail webhook={webhook} />}</WebhookLoader>
}
