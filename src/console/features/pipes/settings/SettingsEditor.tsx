import { zodResolver } from '@hookform/resolvers/zod'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { errorWords } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { noteChange } from '#console/shell/following/changeLog.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ReviewDialog } from '#console/shell/record/ReviewDialog.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { changeCount, withoutChange } from '#console/ui/ChangeTable.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { Facts } from '#console/ui/Facts.tsx'
import { Page } from '#console/ui/Page.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { pipeKind } from '#contract/pipeKinds.ts'
import type { PipeSettings } from '#contract/pipeSettings.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { pipeThing } from '../usePipe.ts'
import { pipeName } from '../words.ts'
import { SettingField } from './SettingField.tsx'
import {
  readSettings,
  settingChanges,
  settingsBody,
  settingsFor,
  settingsSchema,
  unknownSettings,
  type SettingsForm,
} from './settingsForm.ts'

interface SettingsEditorProps {
  pipe: Pipe
  read: PipeSettings
  params: { serviceId: string; dataPipeId: string }
  back: string
}

/** Every key with its meaning, unit, bounds and default; an empty field is the default. Only what changed is sent. */
export function SettingsEditor({ pipe, read, params, back }: SettingsEditorProps) {
  const connection = useConnection()
  const navigate = useNavigate()
  const [base] = useState(read)
  const settings = useMemo(() => settingsFor(pipeKind(pipe)), [pipe])
  const resolver = useMemo(() => zodResolver(settingsSchema(settings)), [settings])
  const form = useForm<SettingsForm>({ defaultValues: readSettings(settings, base), resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: SettingsForm) => all })
  const body = settingsBody(settings, values, base)
  const changes = settingChanges(settings, body, base)
  const [error, setError] = useState<ErrorText | null>(null)
  const [reviewed, setReviewed] = useState(false)
  const leave = () => navigate({ to: back, ignoreBlocker: true })
  const save = useApiMutation(connection.id, pipes.updateSettings, {
    onSuccess: (stored) => {
      queryClient.setQueryData(q(connection.id, pipes.settings, { params }).queryKey, stored)
      noteChange(pipeThing(connection.id, pipe.id), 'Settings', changes)
      toast({ tone: 'ok', text: `Settings of ${pipeName(pipe)} saved.` })
      return leave()
    },
    onError: (failure) => {
      const fields = failure.fields ?? []
      const unclaimed = applyFieldErrors(
        form,
        fields,
        settings.map(({ key }) => key),
      )
      setError(fields.length > 0 && unclaimed.length === 0 ? null : errorWords(failure, location.pathname))
    },
  })
  const send = form.handleSubmit((now) => {
    setError(null)
    save.mutate({ params, body: settingsBody(settings, now, base) })
  })
  const locked = lockReason(connection)
  const unknown = unknownSettings(base)
  return (
    <Page title={`Settings of ${pipeName(pipe)}`} lead="How the pipe reads and writes. An empty field is the default.">
      <FormPage
        onSubmit={() => void send()}
        submitLabel="Save settings"
        onCancel={() => void navigate({ to: back })}
        loading={save.isPending}
        submitError={error}
        dirty={changes.length > 0}
        changes={`${changeCount(changes)}${changes.length > 0 ? ' · 1 request of your budget' : ''}`}
        disabled={locked ?? withoutChange(changes)}
        onReview={() => void form.handleSubmit(() => setReviewed(true))()}
      >
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
          <Panel title="Set on the deployment, not known to this console">
            <Facts rows={unknown} />
          </Panel>
        )}
      </FormPage>
      {reviewed && (
        <ReviewDialog
          title={`Settings of ${pipeName(pipe)}`}
          changes={changes}
          requests={['write']}
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
