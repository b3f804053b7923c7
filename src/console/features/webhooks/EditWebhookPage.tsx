import { readAhead } from '#console/api/queries.ts'
import { webhooks } from '#contract/webhooks.ts'
import { EditWebhook } from './EditWebhook.tsx'
import { WebhookLoader } from './WebhookLoader.tsx'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, webhooks.list, {})
}

export default function EditWebhookPage() {
  return (
    <WebhookLoader title="Edit webhook">{(webhook) => <EditWebhook key={webhook.id} read={webhook} />}</WebhookLoader>
  )
}
