import { NewRecord } from '#console/records/record/NewRecord.tsx'
import { WebhookFields } from './form/WebhookFields.tsx'
import { emptyForm } from './form/webhookForm.ts'
import { webhookForm } from './form/webhookModel.ts'
import { useWebhookLock, webhookResource } from './webhookResource.tsx'

export default function NewWebhookPage() {
  return (
    <NewRecord
      resource={webhookResource}
      model={webhookForm}
      start={emptyForm}
      locked={useWebhookLock()}
      lead="An HTTP endpoint that receives the notifications of alerts."
    >
      {(form) => <WebhookFields form={form} base={null} />}
    </NewRecord>
  )
}
