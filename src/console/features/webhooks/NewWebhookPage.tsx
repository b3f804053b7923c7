import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NewPage } from '#console/shell/record/NewPage.tsx'
import { useRecordCreate } from '#console/shell/record/useRecordCreate.ts'
import { webhookInput, webhooks } from '#contract/webhooks.ts'
import { useWebhookLock } from './useWebhooks.ts'
import { showFailure, useWebhookForm } from './useWebhookForm.ts'
import { WebhookFields } from './WebhookFields.tsx'
import { emptyForm, writeBody } from './webhookForm.ts'

export default function NewWebhookPage() {
  const connection = useConnection()
  const { form, changed } = useWebhookForm(emptyForm, null)
  const { create, ...creating } = useRecordCreate(webhooks.create, {
    resource: 'webhook',
    nameOf: ({ name }) => name,
    pathOf: ({ id }) => paths.webhook(connection.id, id),
    showFailure: (failure) => showFailure(form, failure),
  })
  const submit = form.handleSubmit((values) => create({ body: webhookInput.parse(writeBody(values, null)) }))
  return (
    <NewPage
      resource="webhook"
      lead="A place that alerts send their notifications to."
      list={paths.webhooks(connection.id)}
      creating={creating}
      onSubmit={() => void submit()}
      dirty={changed.length > 0 && form.formState.isDirty}
      locked={useWebhookLock()}
    >
      <WebhookFields form={form} base={null} />
    </NewPage>
  )
}
