/** Saves an edited pipe. Only changes are sent. */
import type { UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { logChange } from '#console/shell/pendingChanges/changeLog.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { useRecordSave, type RecordSave } from '#console/shell/record/useRecordSave.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { pipeKey } from '../model/usePipe.ts'
import { pipeName } from '../model/pipeLabels.ts'
import { readForm, type PipeForm } from './pipeForm.ts'
import { hasNewSecrets, pipeChanges, rowPath, updateBody, editableValues, withoutNewSecrets } from './updateBody.ts'
import { showFailure } from './useCreatePipe.ts'

interface Saving {
  form: UseFormReturn<PipeForm>
  base: Pipe
  params: { serviceId: string; dataPipeId: string }
  onSaved: () => void
}

export function useSavePipe({ form, base, params, onSaved }: Saving): RecordSave<Pipe> {
  const { id: connectionId } = useConnection()
  const shown = (pipe: Pipe) => editableValues(readForm(pipe, form.getValues('kind')))
  return useRecordSave<Pipe>({
    resource: 'pipes',
    noun: 'pipe',
    nameOf: pipeName,
    base,
    record: pipes.get.result,
    read: () => call(connectionId, pipes.get, { params }, { priority: 'readBack' }),
    // Secrets of others show in the date only. They matter if this save contains secrets too.
    unchanged: (now) =>
      sameValue(shown(now), shown(base)) && (now.updatedAt === base.updatedAt || !hasNewSecrets(form.getValues())),
    // Changed secrets show in the date only.
    done: (now) =>
      now.updatedAt !== base.updatedAt &&
      Object.keys(updateBody(withoutNewSecrets(form.getValues()), now)).length === 0,
    write: (on) => call(connectionId, pipes.update, { params, body: updateBody(form.getValues(), on) }, { base: on }),
    onSaved: (pipe) => {
      queryClient.setQueryData(q(connectionId, pipes.get, { params }).queryKey, pipe)
      logChange(pipeKey(connectionId, params.dataPipeId), 'Edited', pipeChanges(form.getValues(), base))
      onSaved()
    },
    showFailure: (failure) => {
      const values = form.getValues()
      return showFailure(form, failure, (path) => rowPath(path, values, readForm(base, values.kind)))
    },
  })
}
