/** The edit of a service's settings: its draft, and the save of it with its undo. */
import { useMemo, useState } from 'react'
import { useFieldArray, useWatch } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { logChange } from '#console/records/pendingChanges/changeLog.ts'
import { useRecordSave } from '#console/records/record/useRecordSave.ts'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { serviceSettings, type ServiceSettingList } from '#contract/cloud/services/serviceSettings.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { serviceName } from '../model/serviceLabels.ts'
import { serviceKey } from '../model/serviceResource.ts'
import { saveSettings } from './saveSettings.ts'
import {
  formValues,
  readValues,
  rebasedRows,
  rowsOf,
  settingChanges,
  settingRequests,
  settingsBody,
  settingsSchema,
  type Schemas,
  type SettingsForm,
} from './settingsForm.ts'

/** The form of the settings, and the list that it starts from. */
export function useSettingsDraft(stored: ServiceSettingList, schemas: Schemas) {
  const [base, setBase] = useState(stored)
  const before = readValues(base)
  const schema = useMemo(() => settingsSchema(schemas), [schemas])
  const form = useSchemaForm(schema, { rows: rowsOf(before) }, { mode: 'onTouched' })
  const rows = useFieldArray({ control: form.control, name: 'rows' })
  const values = useWatch({ control: form.control, compute: (all: SettingsForm) => all })
  const { set, reset } = settingRequests(values, before)
  return {
    base,
    /** The values of `base`. */
    before,
    form,
    rows,
    values,
    changes: settingChanges(values, before),
    /** The values that are to be set, as the API takes them. */
    body: settingsBody(set, schemas),
    /** The names of settings that get their default back. */
    reset,
    /** Drops all changes, and starts from a list. */
    startFrom: (list: ServiceSettingList) => {
      setBase(list)
      form.reset({ rows: rowsOf(readValues(list)) })
    },
    /** Puts the own changes on top of what somebody else saved, except for the settings of `taken`. */
    rebaseOn: (theirs: ServiceSettingList, taken: readonly string[]) => {
      form.reset({ rows: rebasedRows(form.getValues(), before, readValues(theirs), taken) })
      setBase(theirs)
    },
  }
}

export type SettingsDraft = ReturnType<typeof useSettingsDraft>

/** Saves the draft. `warnings` are those of the deployment about the values that were saved last. */
export function useSettingsSave(service: Service, schemas: Schemas, draft: SettingsDraft) {
  const connection = useConnection()
  const params = { serviceId: service.id }
  const { base, before, form, changes, body, reset, startFrom } = draft
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const keep = (list: ServiceSettingList) => {
    queryClient.setQueryData(q(connection.id, serviceSettings.list, { params }).queryKey, list)
    startFrom(list)
  }
  const undo = async (saved: ServiceSettingList) => {
    const now = readValues(saved)
    const back = settingRequests({ rows: rowsOf(before) }, now)
    try {
      const { list } = await saveSettings({
        connectionId: connection.id,
        serviceId: service.id,
        body: settingsBody(back.set, schemas),
        reset: back.reset,
        before: now,
        base: saved,
      })
      keep(list)
      toast({ tone: 'ok', text: `Save of settings of ${serviceName(service)} undone` })
    } catch (error) {
      toastFailure(error)
    }
  }
  const save = useRecordSave<ServiceSettingList>({
    resource: 'serviceSettings',
    noun: 'settings',
    nameOf: () => `of ${serviceName(service)}`,
    base,
    record: serviceSettings.list.result,
    read: () => call(connection.id, serviceSettings.list, { params }, { priority: 'readBack' }),
    // A change of other settings is no conflict: only those that are named are sent.
    unchanged: (now) =>
      [...Object.keys(body.settings), ...reset].every((name) => readValues(now)[name] === before[name]),
    done: (now) => sameValue(readValues(now), formValues(form.getValues())),
    write: async (current) => {
      const written = await saveSettings({
        connectionId: connection.id,
        serviceId: service.id,
        body,
        reset,
        before,
        base: current,
      })
      setWarnings(written.warnings)
      return written.list
    },
    onSaved: (list) => {
      logChange(serviceKey(connection.id, service.id), 'Database settings changed', changes)
      keep(list)
    },
    ...(connection.stage === 'local' && { undo }),
    showFailure: (failure) => formatError(failure, location.pathname),
  })
  return {
    ...save,
    warnings,
    save: () => {
      setWarnings([])
      return save.save()
    },
  }
}
