/** Saves the settings of a pipe. Only changes are sent; conflicting changes are detected. */
import type { UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { logChange } from '#console/records/pendingChanges/changeLog.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { showRefusals } from '#console/records/record/recordForm.ts'
import { useRecordSave, type RecordSave } from '#console/records/record/useRecordSave.ts'
import type { PipeSetting, PipeSettings } from '#contract/cloud/pipes/pipeSettings.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { pipeKey } from '../model/pipeResource.ts'
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

export function useSaveSettings({ pipe, params, settings, base, form, onSaved }: Saving): RecordSave<PipeSettings> {
  const { id: connectionId, stage } = useConnection()
  const body = () => settingsBody(settings, form.getValues(), base)
  const before = readSettings(settings, base)
  const record = `Settings of ${pipeName(pipe)}`
  const keep = (stored: PipeSettings) =>
    queryClient.setQueryData(q(connectionId, pipes.settings, { params }).queryKey, stored)
  const undo = async (saved: PipeSettings) => {
    const back = settingsBody(settings, before, saved)
    const after = readSettings(settings, saved)
    const unchanged = (now: PipeSettings) =>
      Object.keys(back).every((key) => Object.is(readSettings(settings, now)[key], after[key]))
    const write = (current: PipeSettings) =>
      call(connectionId, pipes.updateSettings, { params, body: back }, { base: current, record })
    try {
      keep(await guardedWrite({ base: saved, record: pipes.settings.result, unchanged, write }))
      await invalidate(connectionId, 'pipes')
      toast({ tone: 'ok', text: `Save of settings of ${pipeName(pipe)} undone` })
    } catch (error) {
      toastFailure(error)
    }
  }
  return useRecordSave<PipeSettings>({
    resource: 'pipes',
    noun: 'settings',
    nameOf: () => `of ${pipeName(pipe)}`,
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
    write: (current) => call(connectionId, pipes.updateSettings, { params, body: body() }, { base: current, record }),
    ...(stage === 'local' && { undo }),
    onSaved: (stored) => {
      keep(stored)
      logChange(pipeKey(connectionId, pipe.id), 'Settings changed', settingChanges(settings, body(), base))
      onSaved()
    },
    showFailure: (failure) => showRefusals({ titles: titlesOf(settings) }, form, failure, null),
  })
}

/** Settings are labeled by their keys. */
const titlesOf = (settings: readonly PipeSetting[]) => Object.fromEntries(settings.map(({ key }) => [key, key]))
