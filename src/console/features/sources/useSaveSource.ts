/** Saving an edit of a source. */
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { invalidate } from '#console/api/queries.ts'
import { useGuardedSave } from '#console/api/useGuardedSave.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/toasts.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { sourceInput, sources, type Source } from '#contract/sources.ts'
import { changedFields, sameWritable, writeBody, type SourceForm } from './sourceForm.ts'
import { showFailure } from './useSourceForm.ts'

interface Saving {
  form: UseFormReturn<SourceForm>
  base: Source
  onSaved: (source: Source) => void
}

export function useSaveSource({ form, base, onSaved }: Saving) {
  const { id: connectionId } = useConnection()
  const [error, setError] = useState<ErrorText | null>(null)
  const params = { sourceId: base.id }
  const saving = useGuardedSave<Source>({
    read: () => call(connectionId, sources.get, { params }, { priority: 'readBack' }),
    unchanged: (now) => sameWritable(now, base),
    done: (now) => changedFields(form.getValues(), now).length === 0,
    write: async () => {
      const body = sourceInput.parse(writeBody(form.getValues(), base))
      return call(connectionId, sources.update, { params, body })
    },
    onSaved: (source) => {
      void invalidate(connectionId, 'sources')
      onSaved(source)
    },
    onNotDone: () =>
      toast({ tone: 'ok', text: 'The source is as it was before: the save was not done. You can send it again.' }),
    onFailure: (failure) => {
      if (failure.code === 'outcomeUnknown') void invalidate(connectionId, 'sources')
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
