/** Saving an edit of an alert. */
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { invalidate } from '#console/api/queries.ts'
import { useGuardedSave } from '#console/api/useGuardedSave.ts'
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
  const params = { alertId: base.id }
  const saving = useGuardedSave<Alert>({
    read: () => call(connection.id, alerts.get, { params }, { priority: 'readBack' }),
    unchanged: (now) => sameWritable(now, base),
    done: (now) => changedFields(form.getValues(), now).length === 0,
    write: async () => {
      const body = alertInput.parse(writeBody(form.getValues(), base, connection.variant))
      return call(connection.id, alerts.update, { params, body })
    },
    onSaved: (alert) => {
      void invalidate(connection.id, 'alerts')
      onSaved(alert)
    },
    onNotDone: () =>
      toast({ tone: 'ok', text: 'The alert is as it was before: the save was not done. You can send it again.' }),
    onFailure: (failure) => {
      if (failure.code === 'outcomeUnknown') void invalidate(connection.id, 'alerts')
      setError(showFailure(form, failure))
    },
  })
  const submit = form.handleSubmit(() => {
    setError(null)
    return saving.save()
  })
  const clear = () => {
    setError(null)
    saving.clear()
  }
  return { ...saving, submit, clear, error }
}
