import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { q, readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { NewPage } from '#console/shell/record/NewPage.tsx'
import { RecordLoader } from '#console/shell/record/RecordLoader.tsx'
import { useRecordCreate } from '#console/shell/record/useRecordCreate.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import { alertInput, alerts, type Alert } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'
import { AlertFields } from './AlertFields.tsx'
import { emptyForm, readForm, writeBody, type AlertForm } from './alertForm.ts'
import { showFailure, useAlertForm } from './useAlertForm.ts'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, dashboards.list, {})
}

/** Starts as a copy of another alert, or on a tile. */
const search = z.object({
  from: z.string().catch('').default(''),
  dashboardId: z.string().catch('').default(''),
  tileId: z.string().catch('').default(''),
})

export default function NewAlertPage() {
  const connection = useConnection()
  const [{ from, dashboardId, tileId }] = useUrlState(search)
  const original = useQuery({
    ...q(connection.id, alerts.get, { params: { alertId: from } }),
    enabled: from !== '',
  })
  if (from === '') return <NewAlert start={{ ...emptyForm, dashboardId, tileId }} />
  return (
    <RecordLoader title="New alert" read={original} list={{ to: paths.alerts(connection.id), label: 'All alerts' }}>
      {(alert) => <NewAlert start={copyOf(alert)} />}
    </RecordLoader>
  )
}

function copyOf(alert: Alert): AlertForm {
  const copied = readForm(alert)
  return { ...copied, name: copied.name ? `${copied.name} (copy)` : '' }
}

function NewAlert({ start }: { start: AlertForm }) {
  const connection = useConnection()
  const { form } = useAlertForm(start, null, connection.variant)
  const { create, ...creating } = useRecordCreate(alerts.create, {
    resource: 'alert',
    nameOf: ({ name, id }) => name || id,
    pathOf: ({ id }) => paths.alert(connection.id, id),
    showFailure: (failure) => showFailure(form, failure),
  })
  const submit = form.handleSubmit((values) =>
    create({ body: alertInput.parse(writeBody(values, null, connection.variant)) }),
  )
  return (
    <NewPage
      resource="alert"
      lead="Tells somebody when a number on a dashboard leaves its bounds."
      list={paths.alerts(connection.id)}
      creating={creating}
      onSubmit={() => void submit()}
      dirty={form.formState.isDirty}
      locked={lockReason(connection)}
    >
      <AlertFields form={form} />
    </NewPage>
  )
}
