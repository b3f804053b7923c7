import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { pageReads, q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NewRecord } from '#console/records/record/NewRecord.tsx'
import { RecordLoader } from '#console/records/record/RecordLoader.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { AlertFields } from './AlertFields.tsx'
import { FormWithBacktest } from './FormWithBacktest.tsx'
import { alertForm, emptyForm, readForm } from './alertForm.ts'
import { type AlertForm } from './formFields.ts'
import { alertResource, useAlertNames } from './alertResource.ts'

export const reads = pageReads(dashboards.list)

/** Starts as a copy of another alert, on a tile, or on a saved search. */
const search = z.object({
  from: z.string().catch('').default(''),
  dashboardId: z.string().catch('').default(''),
  tileId: z.string().catch('').default(''),
  savedSearchId: z.string().catch('').default(''),
})

export default function NewAlertPage() {
  const connection = useConnection()
  const [{ from, dashboardId, tileId, savedSearchId }] = useUrlState(search)
  const original = useQuery({
    ...q(connection.id, alerts.get, { params: { alertId: from } }),
    enabled: from !== '',
  })
  if (from === '') {
    const source = savedSearchId ? 'saved_search' : 'tile'
    return <NewAlert start={{ ...emptyForm, source, dashboardId, tileId, savedSearchId }} />
  }
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
  const { nameOf } = useAlertNames()
  return (
    <NewRecord
      resource={alertResource}
      model={alertForm}
      start={start}
      nameOf={nameOf}
      lead="Sends notifications when a value crosses a threshold."
      wide
    >
      {(form) => (
        <FormWithBacktest form={form}>
          <AlertFields form={form} />
        </FormWithBacktest>
      )}
    </NewRecord>
  )
}
