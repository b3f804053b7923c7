import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { toast } from '#console/shell/toasts.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Page } from '#console/ui/Page.tsx'
import { webhookInput, webhooks } from '#contract/webhooks.ts'
import { useWebhookLock } from './useWebhooks.ts'
import { showFailure, useWebhookForm } from './useWebhookForm.ts'
import { WebhookFields } from './WebhookFields.tsx'
import { emptyForm, writeBody } from './webhookForm.ts'

export default function NewWebhookPage() {
  const connection = useConnection()
  const navigate = useNavigate()
  const { form, changed } = useWebhookForm(emptyForm, null)
  const [error, setError] = useState<ErrorText | null>(null)
  const list = paths.webhooks(connection.id)
  const create = useApiMutation(connection.id, webhooks.create, {
    onSuccess: (webhook) => {
      toast({ tone: 'ok', text: `Webhook ${webhook.name} created.` })
      return navigate({ to: paths.webhook(connection.id, webhook.id), ignoreBlocker: true })
    },
    onError: (failure) => setError(showFailure(form, failure)),
  })

  const submit = form.handleSubmit((values) => {
    setError(null)
    create.mutate({ body: webhookInput.parse(writeBody(values, null)) })
  })

  return (
    <Page title="New webhook" lead="A place that alerts send their notifications to.">
      <FormPage
        onSubmit={() => void submit()}
        submitLabel="Create webhook"
        onCancel={() => void navigate({ to: list })}
        loading={create.isPending}
        submitError={error}
        errorAction={create.error?.code === 'outcomeUnknown' && <LinkButton to={list}>Look at the list</LinkButton>}
        dirty={changed.length > 0 && form.formState.isDirty}
        changes="1 new webhook · 1 request of your budget"
        disabled={useWebhookLock()}
      >
        <WebhookFields form={form} base={null} />
      </FormPage>
    </Page>
  )
}
