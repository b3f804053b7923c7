import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ReviewDialog } from '#console/records/record/ReviewDialog.tsx'
import { changeCount, withoutChange } from '#console/ui/ChangeTable.tsx'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { pipeKind } from '#contract/cloud/pipeKinds.ts'
import type { PipeSettings } from '#contract/cloud/pipes/pipeSettings.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { pipeName } from '../model/pipeLabels.ts'
import { useSaveSettings } from './useSaveSettings.ts'
import { SettingField } from './SettingField.tsx'
import { useSettingsFor } from './useSettingsFor.ts'
import {
  formatFormValue,
  readSettings,
  settingChanges,
  settingsBody,
  settingsSchema,
  unknownSettings,
  type SettingsForm,
} from './settingsForm.ts'
import { Button } from '#console/ui/base/Button.tsx'

interface SettingsEditorProps {
  pipe: Pipe
  read: PipeSettings
  params: { serviceId: string; dataPipeId: string }
  back: string
}

/** The settings form: every key with description, unit, bounds and default. Only changes are sent. */
export function SettingsEditor({ pipe, read, params, back }: SettingsEditorProps) {
  const connection = useConnection()
  const navigate = useNavigate()
  const draft = useSettingsDraft(pipe, read)
  const { base, settings, form, values, before, body, changes } = draft
  const [reviewed, setReviewed] = useState(false)
  const leave = () => void navigate({ to: back, ignoreBlocker: true })
  const save = useSaveSettings({ pipe, params, settings, base, form, onSaved: leave })
  const { theirs } = save
  const send = form.handleSubmit(() => save.save())
  const keys = settings.map(({ key }) => key)
  const locked = lockReason(connection)
  const unknown = unknownSettings(base)
  return (
    <Page title={`Settings of ${pipeName(pipe)}`} lead="Leave a field empty to use its default.">
      <FormPage
        onSubmit={() => void send()}
        submitLabel="Save settings"
        onCancel={() => void navigate({ to: back })}
        loading={save.pending}
        submitError={save.error}
        errorAction={save.unknown && <Button onClick={() => void save.checkOutcome()}>Check now</Button>}
        dirty={changes.length > 0}
        changes={`${changeCount(changes)}${changes.length > 0 ? ' · 2 API requests' : ''}`}
        disabled={locked ?? (theirs ? 'Resolve the conflict first.' : withoutChange(changes))}
        onReview={() => void form.handleSubmit(() => setReviewed(true))()}
      >
        {theirs && (
          <ConflictPanel
            noun="pipe"
            rows={theirChanges(keys, values, before, readSettings(settings, theirs))}
            titles={Object.fromEntries(keys.map((key) => [key, key]))}
            formatValue={(key, form) => formatFormValue(settings, key, form)}
            onResolve={(taken) => {
              draft.rebaseOn(theirs, taken)
              save.clear()
            }}
          />
        )}
        <Panel>
          <FieldGrid columns={2}>
            {settings.map((setting) => (
              <SettingField
                key={setting.key}
                setting={setting}
                control={form.control}
                name={setting.key}
                locked={locked}
              />
            ))}
          </FieldGrid>
        </Panel>
        {unknown.length > 0 && (
          <Panel title="Other settings on the deployment">
            <DescriptionList rows={unknown} />
          </Panel>
        )}
      </FormPage>
      {reviewed && (
        <ReviewDialog
          title={`Settings of ${pipeName(pipe)}`}
          changes={changes}
          requests={['read', 'write']}
          command={curlOf(connection, pipes.updateSettings, { params, body })}
          action="Save settings"
          disabled={locked}
          onSend={() => {
            setReviewed(false)
            void send()
          }}
          onClose={() => setReviewed(false)}
        />
      )}
    </Page>
  )
}

/** The form of the settings, and those that it starts from. */
function useSettingsDraft(pipe: Pipe, read: PipeSettings) {
  const [base, setBase] = useState(read)
  const settings = useSettingsFor(pipeKind(pipe))
  const schema = useMemo(() => settingsSchema(settings), [settings])
  const before = readSettings(settings, base)
  const form = useSchemaForm(schema, before, { mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: SettingsForm) => all })
  const body = settingsBody(settings, values, base)
  return {
    base,
    settings,
    form,
    values,
    /** The form of `base`. */
    before,
    /** The changed settings, as the API takes them. */
    body,
    changes: settingChanges(settings, body, base),
    /** Puts the own changes on top of what somebody else saved, except for the settings of `taken`. */
    rebaseOn: (theirs: PipeSettings, taken: readonly string[]) => {
      const keys = settings.map(({ key }) => key)
      form.reset(rebase(keys, form.getValues(), before, readSettings(settings, theirs), taken))
      setBase(theirs)
    },
  }
}
