/** Saving an edit: look first, then write; when the answer is lost, look again. */
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { asFailure } from '#console/api/failure.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/toasts.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { alertInput, alerts, type Alert } from '#contract/alerts.ts'
import { changedFields, sameWritable, writeBody, type AlertForm } from './alertForm.ts'
import { showFailure } from './useAlertForm.ts'

interface Saving {
  form: UseFormReturn<AlertForm>
  base: Alert
  onSaved: (alert: Alert) => void
}

export function useSaveAlert({ form, base, onSaved }: Saving) {
  const connection = useConnection()
  const [error, setError] = useState<ErrorText | null>(null)
  const [unknown, setUnknown] = useState(false)
  const [theirs, setTheirs] = useState<Alert | null>(null)
  const [looking, setLooking] = useState(false)
  const params = { alertId: base.id }

  const clear = () => {
    setError(null)
    setUnknown(false)
    setTheirs(null)
  }
  const fail = (thrown: unknown) => {
    const failure = asFailure(thrown)
    setError(showFailure(form, failure))
    setUnknown(failure.code === 'outcomeUnknown')
  }
  const update = useApiMutation(connection.id, alerts.update, { onSuccess: onSaved, onError: fail })

  const readNow = async (): Promise<Alert | null> => {
    setLooking(true)
    try {
      return await call(connection.id, alerts.get, { params }, { priority: 'readBack' })
    } catch (thrown) {
      fail(thrown)
      return null
    } finally {
      setLooking(false)
    }
  }

  /** The API has no versions: what is there now is compared with what the form started from, right before the write. */
  const submit = form.handleSubmit(async (values) => {
    clear()
    const now = await readNow()
    if (!now) return
    if (!sameWritable(now, base)) return setTheirs(now)
    update.mutate({ params, body: alertInput.parse(writeBody(values, base, connection.variant)) })
  })

  /** After a write whose answer was lost: what is there says whether it was done. */
  const look = async () => {
    const now = await readNow()
    if (!now) return
    if (changedFields(form.getValues(), now).length === 0) return onSaved(now)
    clear()
    if (!sameWritable(now, base)) return setTheirs(now)
    toast({ tone: 'ok', text: 'The alert is as it was before: the save was not done. You can send it again.' })
  }

  return { submit, look, clear, error, unknown, theirs, pending: looking || update.isPending }
}
