/** Saves the settings of a pipe. Only changes are sent; conflicting changes are detected. */
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useGuardedSave } from '#console/api/useGuardedSave.ts'
import { logChange } from '#console/shell/pendingChanges/changeLog.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import type { PipeSetting, PipeSettings } from '#contract/pipeSettings.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { pipeKey } from '../model/usePipe.ts'
import { pipeName } from '../model/pipeLabels.ts'
import { readSettings, settingChanges, settingsBody, type SettingsForm } from './settingsForm.ts'

interface Saving {
  pipe: Pipe
  params: { serviceId: string; dataPipeId: string }
  settings: readonly PipeSetting[]
  base: PipeSettings
  form: UseFormReturn<SettingsForm>
  onSaved: () => void
}

export function useSaveSettings({ pipe, params, settings, base, form, onSaved }: Saving) {
  const { id: connectionId } = useConnection()
  const [error, setError] = useState<ErrorText | null>(null)
  const body = () => settingsBody(settings, form.getValues(), base)
  const before = readSettings(settings, base)
  const guarded = useGuardedSave<PipeSettings>({
    base,
    record: pipes.settings.result,
    read: () => call(connectionId, pipes.settings, { params }, { priority: 'readBack' }),
    unchanged: (stored) => {
      const now = readSettings(settings, stored)
      return Object.keys(body()).every((key) => Object.is(now[key], before[key]))
    },
    done: (stored) => {
      const now = readSettings(settings, stored)
      return Object.keys(body()).every((key) => Object.is(now[key], form.getValues()[key] ?? null))
    },
    write: (on) => call(connectionId, pipes.updateSettings, { params, body: body() }, { base: on }),
    onSaved: (stored) => {
      queryClient.setQueryData(q(connectionId, pipes.settings, { params }).queryKey, stored)
      void invalidate(connectionId, 'pipes')
      logChange(pipeKey(connectionId, pipe.id), 'Settings changed', settingChanges(settings, body(), base))
      toast({ tone: 'ok', text: `Settings of ${pipeName(pipe)} saved.` })
      onSaved()
    },
    onNotDone: () =>
      toast({
        tone: 'ok',
        text: 'The settings were not changed: the save did not reach the deployment. You can save again.',
      }),
    onFailure: (failure) => {
      if (failure.code === 'outcomeUnknown') void invalidate(connectionId, 'pipes')
      const fields = failure.fields ?? []
      const unclaimed = applyFieldErrors(
        form,
        fields,
        settings.map(({ key }) => key),
      )
      setError(fields.length > 0 && unclaimed.length === 0 ? null : formatError(failure, location.pathname))
    },
  })
  return {
    ...guarded,
    error,
    save: () => {
      setError(null)
      return guarded.save()
    },
  }
}
