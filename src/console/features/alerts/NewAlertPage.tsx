import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { z } from 'zod'
import { q, readAhead } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { PendingPage } from '#console/shell/PendingPage.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { toast } from '#console/shell/toasts.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { Page } from '#console/ui/Page.tsx'
import { alertInput, alerts } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'
import { AlertFields } from './AlertFields.tsx'
import { emptyForm, readForm, writeBody, type AlertForm } from './alertForm.ts'
import { lockReason } from '#console/shell/lockReason.ts'
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
  if (original.error) {
    return (
      <Page title="New alert">
        <QueryError error={original.error} onRetry={() => void original.refetch()} />
      </Page>
    )
  }
  if (!original.data) return <PendingPage />
  const copied = readForm(original.data)
  return <NewAlert start={{ ...copied, name: copied.name ? `${copied.name} (copy)` : '' }} />
}

function NewAlert({ start }: { start: AlertForm }) {
  const connection = useConnection()
  const navigate = useNavigate()
  const { form } = useAlertForm(start, null, connection.variant)
  const [error, setError] = useState<ErrorText | null>(null)
  const list = paths.alerts(connection.id)
  const create = useApiMutation(connection.id, alerts.create, {
    onSuccess: (alert) => {
      toast({ tone: 'ok', text: `Alert ${alert.name || alert.id} created.` })
      return navigate({ to: paths.alert(connection.id, alert.id), ignoreBlocker: true })
    },
    onError: (failure) => setError(showFailure(form, failure)),
  })

  const submit = form.handleSubmit((values) => {
    setError(null)
    create.mutate({ body: alertInput.parse(writeBody(values, null, connection.variant)) })
  })

  return (
    <Page title="New alert" lead="Tells somebody when a number on a dashboard leaves its bounds.">
      <FormPage
        onSubmit={() => void submit()}
        submitLabel="Create alert"
        onCancel={() => void navigate({ to: list })}
        loading={create.isPending}
        submitError={error}
        errorAction={create.error?.code === 'outcomeUnknown' && <LinkButton to={list}>Look at the list</LinkButton>}
        dirty={form.formState.isDirty}
        changes="1 new alert · 1 request of your budget"
        disabled={lockReason(connection)}
      >
        <AlertFields form={form} />
      </FormPage>
    </Page>
  )
}
