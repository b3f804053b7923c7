/** Saving an edit of a pipe: look first, then write what differs. */
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useGuardedSave } from '#console/api/useGuardedSave.ts'
import { noteChange } from '#console/shell/changeLog.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/toasts.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { sameValue } from '#console/ui/form/values.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { pipeThing } from '../usePipe.ts'
import { readForm, type PipeForm } from './pipeForm.ts'
import { pipeChanges, rowPath, updateBody, viewOf, withoutEntered } from './updateBody.ts'
import { showFailure } from './useCreatePipe.ts'

interface Saving {
  form: UseFormReturn<PipeForm>
  base: Pipe
  params: { serviceId: string; dataPipeId: string }
  onSaved: (pipe: Pipe) => void
}

export function useSavePipe({ form, base, params, onSaved }: Saving) {
  const { id: connectionId } = useConnection()
  const [error, setError] = useState<ErrorText | null>(null)
  const shown = (pipe: Pipe) => viewOf(readForm(pipe, form.getValues('kind')))
  const saving = useGuardedSave<Pipe>({
    read: () => call(connectionId, pipes.get, { params }, { priority: 'readBack' }),
    unchanged: (now) => sameValue(shown(now), shown(base)),
    // Secrets alone show in the date only.
    done: (now) =>
      now.updatedAt !== base.updatedAt && Object.keys(updateBody(withoutEntered(form.getValues()), now)).length === 0,
    write: () => call(connectionId, pipes.update, { params, body: updateBody(form.getValues(), base) }),
    onSaved: (pipe) => {
      queryClient.setQueryData(q(connectionId, pipes.get, { params }).queryKey, pipe)
      noteChange(pipeThing(connectionId, params.dataPipeId), 'Edited', pipeChanges(form.getValues(), base))
      void invalidate(connectionId, 'pipes')
      onSaved(pipe)
    },
    onNotDone: () =>
      toast({ tone: 'ok', text: 'The pipe is as it was before: the save was not done. You can send it again.' }),
    onFailure: (failure) => {
      if (failure.code === 'outcomeUnknown') void invalidate(connectionId, 'pipes')
      const values = form.getValues()
      setError(showFailure(form, failure, (path) => rowPath(path, values, readForm(base, values.kind))))
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
