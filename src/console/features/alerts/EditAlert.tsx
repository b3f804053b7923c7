import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useNames } from '#console/references/alertNames.ts'
import { call } from '#console/api/call.ts'
import { curlOf } from '#console/api/curl.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { EditPage } from '#console/shell/record/EditPage.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { useRecordSave } from '#console/shell/record/useRecordSave.ts'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { alertInput, alerts, type Alert } from '#contract/alerts.ts'
import { AlertFields } from './AlertFields.tsx'
import {
  alertFields,
  changedFields,
  fieldTitles,
  readForm,
  sameWritable,
  writeBody,
  type AlertField,
  type AlertForm,
} from './alertForm.ts'
import { changeRows, formatAlertField } from './alertFieldLabels.ts'
import { showFailure, useAlertForm } from './useAlertForm.ts'

/** Edits what was read: unknown fields stay, an unchanged save sends nothing, nobody's work is overwritten unseen. */
export function EditAlert({ read }: { read: Alert }) {
  const connection = useConnection()
  const names = useNames(connection)
  const navigate = useNavigate()
  const [base, setBase] = useState(read)
  const before = readForm(base)
  const { form, values, changed } = useAlertForm(before, base, connection.variant)
  const params = { alertId: base.id }
  const back = paths.alert(connection.id, base.id)
  const bodyOf = (form: AlertForm) => writeBody(form, base, connection.variant)
  const save = useRecordSave<Alert>({
    resource: 'alerts',
    noun: 'alert',
    nameOf: ({ name, id }) => name || id,
    base,
    record: alerts.get.result,
    read: () => call(connection.id, alerts.get, { params }, { priority: 'readBack' }),
    unchanged: (now) => sameWritable(now, base),
    done: (now) => changedFields(form.getValues(), now).length === 0,
    write: async (on) => {
      const body = alertInput.parse(writeBody(form.getValues(), on, connection.variant))
      return call(connection.id, alerts.update, { params, body }, { base: on })
    },
    onSaved: (alert) => {
      queryClient.setQueryData(q(connection.id, alerts.get, { params }).queryKey, alert)
      void navigate({ to: back, ignoreBlocker: true })
    },
    showFailure: (failure) => showFailure(form, failure),
  })
  const rebaseOn = (theirs: Alert, taken: AlertField[]) => {
    form.reset(rebase(alertFields, form.getValues(), before, readForm(theirs), taken))
    setBase(theirs)
  }
  const body = alertInput.safeParse(bodyOf(values))
  return (
    <EditPage
      name={base.name || 'alert'}
      resource="alert"
      back={back}
      form={form}
      save={save}
      changes={changeRows(changed, before, values, names)}
      locked={lockReason(connection)}
      command={body.success ? curlOf(connection, alerts.update, { params, body: body.data }) : null}
      conflictOf={(theirs) => theirChanges(alertFields, values, before, readForm(theirs))}
      titles={fieldTitles}
      formatValue={(field, form) => formatAlertField(field, form, names)}
      onRebase={rebaseOn}
    >
      <AlertFields form={form} />
    </EditPage>
  )
}
