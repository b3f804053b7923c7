import { useState, type ReactNode } from 'react'
import { curlOf } from '#console/api/curl.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ReviewDialog } from '#console/records/record/ReviewDialog.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { changeCount, withoutChange } from '#console/ui/ChangeTable.tsx'
import { theirChanges } from '#console/ui/form/conflict.ts'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { serviceSettings, type ServiceSettingList } from '#contract/cloud/services/serviceSettings.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { serviceName } from '../model/serviceLabels.ts'
import { AddSetting } from './AddSetting.tsx'
import { SettingRow } from './SettingRow.tsx'
import { formValues, readValues, settingWarnings, type Schemas, type SettingsForm } from './settingsForm.ts'
import { useSettingsDraft, useSettingsSave, type SettingsDraft } from './useSettingsEdit.ts'

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
  const locked = lockReason(useConnection())
  const draft = useSettingsDraft(stored, schemas)
  const [reviewing, setReviewing] = useState(false)
  const save = useSettingsSave(service, schemas, draft)
  const { form, values, changes } = draft
  const { fields, append, remove } = draft.rows
  const { theirs } = save
  return (
    <>
      <FormPage
        onSubmit={() => void form.handleSubmit(() => setReviewing(true))()}
        submitLabel="Review and save"
        onCancel={() => draft.startFrom(stored)}
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
            base={draft.base}
            theirs={theirs}
            onResolve={(taken) => {
              draft.rebaseOn(theirs, taken)
              save.clear()
            }}
          />
        )}
        {children}
        {save.warnings.map((warning) => (
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
              isSet={field.name in draft.before}
              locked={locked}
              onRemove={() => remove(at)}
            />
          ))}
        </Panel>
      </FormPage>
      {reviewing && (
        <SettingsReview
          service={service}
          schemas={schemas}
          draft={draft}
          onSend={() => {
            setReviewing(false)
            void save.save()
          }}
          onClose={() => setReviewing(false)}
        />
      )}
    </>
  )
}

interface SettingsReviewProps {
  service: Service
  schemas: Schemas
  draft: SettingsDraft
  onSend: () => void
  onClose: () => void
}

function SettingsReview({ service, schemas, draft, onSend, onClose }: SettingsReviewProps) {
  const connection = useConnection()
  const { changes, body, reset } = draft
  const sets = Object.keys(body.settings).length > 0
  const warnings = settingWarnings(
    changes.map(({ title }) => title),
    schemas,
  )
  return (
    <ReviewDialog
      title={`Save settings of service ${serviceName(service)}?`}
      changes={changes}
      requests={[...(sets ? ['read', 'write'] : []), ...reset.flatMap(() => ['read', 'reset'])]}
      command={sets ? curlOf(connection, serviceSettings.update, { params: { serviceId: service.id }, body }) : null}
      action="Save settings"
      disabled={lockReason(connection)}
      onSend={onSend}
      onClose={onClose}
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
