import { useMemo } from 'react'
import { EditRecord } from '#console/records/record/EditRecord.tsx'
import type { RecordForm } from '#console/records/record/recordForm.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { AlertFields } from './AlertFields.tsx'
import { formatAlertField } from './alertFieldLabels.ts'
import type { AlertForm } from './formFields.ts'
import { FormWithBacktest } from './FormWithBacktest.tsx'
import { alertForm } from './alertForm.ts'
import { alertReads, alertResource, useAlertNames } from './alertResource.ts'

export { alertReads as reads }

export default function EditAlertPage() {
  const { names, nameOf } = useAlertNames()
  // Changes show the names of dashboards and webhooks.
  const model = useMemo(
    (): RecordForm<Alert, AlertForm> => ({
      ...alertForm,
      formatValue: (field, form) => formatAlertField(field, form, names),
    }),
    [names],
  )
  return (
    <EditRecord resource={alertResource} model={model} nameOf={nameOf} undoable={() => true} wide>
      {(form, alert) => (
        <FormWithBacktest form={form} alert={alert}>
          <AlertFields form={form} />
        </FormWithBacktest>
      )}
    </EditRecord>
  )
}
