import { useMemo, useState, type ReactNode } from 'react'
import { useFieldArray, useWatch } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { curlOf } from '#console/api/curl.ts'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { logChange } from '#console/records/pendingChanges/changeLog.ts'
import { ReviewDialog } from '#console/records/record/ReviewDialog.tsx'
import { useRecordSave } from '#console/records/record/useRecordSave.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { changeCount, withoutChange } from '#console/ui/ChangeTable.tsx'
import { theirChanges } from '#console/ui/form/conflict.ts'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { serviceSettings, type ServiceSettingList } from '#contract/cloud/services/serviceSettings.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { serviceName } from '../model/serviceLabels.ts'
import { serviceKey } from '../model/serviceResource.ts'
import { AddSetting } from './AddSetting.tsx'
import { saveSettings } from './saveSettings.ts'
import { SettingRow } from './SettingRow.tsx'
import {
  formValues,
  readValues,
  rebasedRows,
  rowsOf,
  settingChanges,
  settingRequests,
  settingsBody,
  settingsSchema,
  settingWarnings,
  type Schemas,
  type SettingsForm,
} from './settingsForm.ts'

interface SettingsEditorProps {
  service: Service
  stored: ServiceSettingList
  /** The available settings; empty where the deployment does not say. */
  schemas: Schemas
  /** The schema is not read yet. */
  loading: boolean
  /** A notice about the settings of this deployment. */
  children: ReactNode
}

/** The settings that are set, those that a person adds, changes and resets, and their review before anything is sent. */
export function SettingsEditor({ service, stored, schemas, loading, children }: SettingsEditorProps) {
  const connection = useConnection()
  const params = { serviceId: service.id }
  const [base, setBase] = useState(stored)
  const before = readValues(base)
  const schema = useMemo(() => settingsSchema(schemas), [schemas])
  const form = useSchemaForm(schema, { rows: rowsOf(before) }, { mode: 'onTouched' })
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'rows' })
  const values = useWatch({ control: form.control, compute: (all: SettingsForm) => all })
  const changes = settingChanges(values, before)
  const { set, reset } = settingRequests(values, before)
  const [reviewing, setReviewing] = useState(false)
  const [said, setSaid] = useState<readonly string[]>([])
  const startFrom = (list: ServiceSettingList) => {
    setBase(list)
    form.reset({ rows: rowsOf(readValues(list)) })
  }
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
    unchanged: (now) => [...Object.keys(set), ...reset].every((name) => readValues(now)[name] === before[name]),
    done: (now) => sameValue(readValues(now), formValues(form.getValues())),
    write: async (current) => {
      const written = await saveSettings({
        connectionId: connection.id,
        serviceId: service.id,
        body: settingsBody(set, schemas),
        reset,
        before,
        base: current,
      })
      setSaid(written.warnings)
      return written.list
    },
    onSaved: (list) => {
      logChange(serviceKey(connection.id, service.id), 'Database settings changed', changes)
      keep(list)
    },
    ...(connection.stage === 'local' && { undo }),
    showFailure: (failure) => formatError(failure, location.pathname),
  })
  const { theirs } = save
  const locked = lockReason(connection)
  const warnings = settingWarnings(
    changes.map(({ title }) => title),
    schemas,
  )
  const requests = [
    ...(Object.keys(set).length > 0 ? ['read', 'write'] : []),
    ...reset.flatMap(() => ['read', 'reset']),
  ]
  const body = settingsBody(set, schemas)
  return (
    <>
      <FormPage
        onSubmit={() => void form.handleSubmit(() => setReviewing(true))()}
        submitLabel="Review and save"
        onCancel={() => startFrom(stored)}
        loading={save.pending}
        submitError={save.error}
        errorAction={save.unknown && <Button onClick={() => void save.checkOutcome()}>Check now</Button>}
        dirty={changes.length > 0}
        changes={changeCount(changes)}
        disabled={locked ?? (theirs ? 'Resolve the conflict first.' : withoutChange(changes))}
      >
        {theirs && (
          <SettingsConflict
            values={values}
            base={base}
            theirs={theirs}
            onResolve={(taken) => {
              form.reset({ rows: rebasedRows(form.getValues(), before, readValues(theirs), taken) })
              setBase(theirs)
              save.clear()
            }}
          />
        )}
        {children}
        {said.map((warning) => (
          <Notice key={warning} tone="warning" role="status">
            {warning}
          </Notice>
        ))}
        <AddSetting
          schemas={schemas}
          loading={loading}
          form={values}
          locked={locked}
          onAdd={(name) => append({ name, value: '', reset: false })}
        />
        <Panel title="Settings" aside={`${fields.length} set or changed`} flush={fields.length === 0}>
          {fields.length === 0 && <PanelText>Nothing is set: all settings have their defaults.</PanelText>}
          {fields.map((field, at) => (
            <SettingRow
              key={field.id}
              form={form}
              at={at}
              schema={schemas.get(field.name)}
              isKnown={schemas.size === 0 || schemas.has(field.name)}
              isSet={field.name in before}
              locked={locked}
              onRemove={() => remove(at)}
            />
          ))}
        </Panel>
      </FormPage>
      {reviewing && (
        <ReviewDialog
          title={`Save settings of service ${serviceName(service)}?`}
          changes={changes}
          requests={requests}
          command={Object.keys(set).length > 0 ? curlOf(connection, serviceSettings.update, { params, body }) : null}
          action="Save settings"
          disabled={locked}
          onSend={() => {
            setReviewing(false)
            setSaid([])
            void save.save()
          }}
          onClose={() => setReviewing(false)}
        >
          {warnings.map((warning) => (
            <Notice key={warning} tone="warning">
              {warning}
            </Notice>
          ))}
          <Notice tone="info">
            Deployments restart the service for some server settings, and do not say which. Running queries are then
            interrupted.
          </Notice>
        </ReviewDialog>
      )}
    </>
  )
}

interface SettingsConflictProps {
  values: SettingsForm
  base: ServiceSettingList
  theirs: ServiceSettingList
  onResolve: (taken: string[]) => void
}

function SettingsConflict({ values, base, theirs, onResolve }: SettingsConflictProps) {
  const [mine, before, now] = [formValues(values), readValues(base), readValues(theirs)]
  const names = [...new Set([mine, before, now].flatMap((all) => Object.keys(all)))]
  return (
    <ConflictPanel<Record<string, string>>
      noun="list of settings"
      rows={theirChanges(names, mine, before, now)}
      titles={Object.fromEntries(names.map((name) => [name, name]))}
      formatValue={(name, all) => all[name] ?? 'default'}
      onResolve={onResolve}
    />
  )
}
