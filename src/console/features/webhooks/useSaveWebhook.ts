/** Saving an edit of a webhook. */
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { invalidate } from '#console/api/queries.ts'
import { useGuardedSave } from '#console/api/useGuardedSave.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/toasts.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { webhookInput, webhooks, type Webhook } from '#contract/webhooks.ts'
import { readWebhook } from './useWebhooks.ts'
import { showFailure } from './useWebhookForm.ts'
import { sameShown, showsAll, writeBody, type WebhookForm } from './webhookForm.ts'

interface Saving {
  form: UseFormReturn<WebhookForm>
  base: Webhook
  onSaved: (webhook: Webhook) => void
}

export function useSaveWebhook({ form, base, onSaved }: Saving) {
  const { id: connectionId } = useConnection()
  const [error, setError] = useState<ErrorText | null>(null)
  const params = { webhookId: base.id }
  const body = () => webhookInput.parse(writeBody(form.getValues(), base))
  const saving = useGuardedSave<Webhook>({
    read: () => readWebhook(connectionId, base.id),
    // A change of headers alone shows in the date only.
    unchanged: (now) => sameShown(now, base) && now.updatedAt === base.updatedAt,
    done: (now) => now.updatedAt !== base.updatedAt && showsAll(form.getValues(), now),
    write: () => call(connectionId, webhooks.update, { params, body: body() }),
    onSaved: (webhook) => {
      void invalidate(connectionId, 'webhooks')
      onSaved(webhook)
    },
    onNotDone: () =>
      toast({ tone: 'ok', text: 'The webhook is as it was before: the save was not done. You can send it again.' }),
    onFailure: (failure) => {
      if (failure.code === 'outcomeUnknown') void invalidate(connectionId, 'webhooks')
      setError(showFailure(form, failure))
    },
  })
  const submit = () => {
    setError(null)
    return saving.save()
  }
  const clear = () => {
    setError(null)
    saving.clear()
  }
  return { ...saving, submit, clear, error }
}
