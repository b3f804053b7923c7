import { recordReads } from '#console/records/record/recordCalls.ts'
import { RecordDetail } from '#console/records/record/RecordDetail.tsx'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { maskAddress } from '#console/ui/maskAddress.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { receiverName } from '#domain/alerting/receivers/receiverKinds.ts'
import { alerts } from '#contract/stack/alerts.ts'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { TestPanel } from './form/TestPanel.tsx'
import { fieldTitles, hidesBody } from './form/webhookForm.ts'
import { useWebhookLock, useWebhookUses, webhookResource } from './webhookResource.tsx'
import * as css from './webhooks.module.css'

export const reads = recordReads(webhookResource, alerts.list)

export default function WebhookPage() {
  return <ResourceLoader resource={webhookResource}>{(webhook) => <WebhookDetail webhook={webhook} />}</ResourceLoader>
}

/** Everything that can be read about one webhook. */
function WebhookDetail({ webhook }: { webhook: Webhook }) {
  const url = webhook.url && maskAddress(webhook.url)
  const unreadable = webhook.service === 'slack' ? undefined : 'Not returned by the API'
  return (
    <RecordDetail
      resource={webhookResource}
      record={webhook}
      locked={useWebhookLock()}
      usesOf={useWebhookUses()}
      state={<StatusChip tone="neutral">{receiverName(webhook)}</StatusChip>}
      lead={webhook.description}
      shown={url ? { ...webhook, url } : webhook}
    >
      <Panel title="Request">
        <DescriptionList
          rows={[
            ['Receiver', receiverName(webhook)],
            [fieldTitles.url, url && <code key="url">{url}</code>],
            [fieldTitles.body, bodyOf(webhook)],
            [fieldTitles.headers, unreadable],
            [fieldTitles.queryParams, unreadable],
          ]}
        />
      </Panel>
      <TestPanel
        trial={() => ({ webhookId: webhook.id })}
        lead="Sends a notification with sample values to this webhook, and shows the receiver’s answer."
      />
    </RecordDetail>
  )
}

function bodyOf(webhook: Webhook) {
  if (webhook.service === 'slack') return undefined
  if (hidesBody(webhook)) return 'Not returned by the API for this service'
  if (!webhook.body) return 'Default message'
  return (
    <code key="body" className={css.bodyOf}>
      {webhook.body}
    </code>
  )
}
