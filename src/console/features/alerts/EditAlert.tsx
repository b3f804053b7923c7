import Button from '@mui/material/Button'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '#console/api/queryClient.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/toasts.tsx'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Page } from '#console/ui/Page.tsx'
import { alerts, type Alert } from '#contract/alerts.ts'
import { AlertFields } from './AlertFields.tsx'
import { alertFields, fieldTitles, readForm, sameWritable, valueWords, type AlertField } from './alertForm.ts'
import { ChangeList } from './ChangeList.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { useAlertForm } from './useAlertForm.ts'
import { useSaveAlert } from './useSaveAlert.ts'

/** Edits what was read: unknown fields stay, an unchanged save sends nothing, nobody's work is overwritten unseen. */
export function EditAlert({ read }: { read: Alert }) {
  const connection = useConnection()
  const navigate = useNavigate()
  const [base, setBase] = useState(read)
  const { form, changed } = useAlertForm(readForm(base), base, connection.variant)
  const here = paths.alert(connection.id, base.id)
  const leave = () => navigate({ to: here, ignoreBlocker: true })
  const saved = (alert: Alert) => {
    queryClient.setQueryData(q(connection.id, alerts.get, { params: { alertId: alert.id } }).queryKey, alert)
    toast({ tone: 'ok', text: `Alert ${alert.name || alert.id} saved.` })
    void leave()
  }
  const save = useSaveAlert({ form, base, onSaved: saved })

  const resolve = (theirs: Alert, taken: AlertField[]) => {
    const merged = rebase(alertFields, form.getValues(), readForm(base), readForm(theirs), taken)
    setBase(theirs)
    form.reset(readForm(theirs))
    for (const [field, value] of Object.entries(merged)) {
      // Object.entries forgets that these are the form's own fields.
      form.setValue(field as AlertField, value, { shouldDirty: true })
    }
    save.clear()
  }

  const submit = () => {
    if (changed.length > 0) return void save.submit()
    toast({ tone: 'ok', text: 'Nothing was changed, so nothing was sent.' })
    void leave()
  }

  return (
    <Page title={`Edit ${base.name || 'alert'}`}>
      <FormPage
        onSubmit={submit}
        submitLabel="Save alert"
        onCancel={() => void navigate({ to: here })}
        loading={save.pending}
        submitError={save.error}
        errorAction={save.unknown && <Button onClick={() => void save.look()}>Look at it now</Button>}
        dirty={changed.length > 0}
        changes={<ChangeList changed={changed} base={base} form={form} />}
        disabled={lockReason(connection) ?? (save.theirs ? 'Decide about the other version first.' : undefined)}
      >
        {save.theirs && !sameWritable(save.theirs, base) && (
          <ConflictPanel
            thing="alert"
            rows={theirChanges(alertFields, form.getValues(), readForm(base), readForm(save.theirs))}
            titles={fieldTitles}
            valueWords={valueWords}
            onResolve={(taken) => save.theirs && resolve(save.theirs, taken)}
          />
        )}
        <AlertFields form={form} />
      </FormPage>
    </Page>
  )
}
