import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Pencil, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { alertName, useNames } from '#console/references/alertNames.ts'
import { useOffer } from '#console/api/offers.ts'
import { q } from '#console/api/queries.ts'
import { alertsWithoutWebhook } from '#console/references/usage.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useNewButton } from '#console/shell/record/useNewButton.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { alerts } from '#contract/alerts.ts'
import { webhooks, type Webhook } from '#contract/webhooks.ts'
import { webhookColumns } from './columns.tsx'
import { useDeleteWebhook } from './useDeleteWebhook.tsx'
import { useWebhookLock, useWebhookUses } from './useWebhooks.ts'

const DeleteWebhooks = lazyComponent(async () => (await import('./DeleteWebhooks.tsx')).DeleteWebhooks)

export default function WebhooksPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'webhooks', webhooks.list.variants)
  const [asked, setAsked] = useState(false)
  const table = useTableState()
  const newButton = useNewButton('webhook', paths.newWebhook(connection.id), useWebhookLock())
  return (
    <Page
      title="Webhooks"
      lead="Where alerts send their notifications. Addresses are masked: they may hold a token."
      actions={offered && newButton}
    >
      {reason && !asked ? (
        <NotOffered reason={reason} onAsk={() => setAsked(true)} />
      ) : (
        <WebhookTable table={table} newButton={newButton} />
      )}
    </Page>
  )
}

interface WebhookTableProps {
  table: ReturnType<typeof useTableState>
  newButton: ReactNode
}

function WebhookTable({ table, newButton }: WebhookTableProps) {
  const connection = useConnection()
  const { data, error, refetch } = useQuery(q(connection.id, webhooks.list, {}))
  const usesOf = useWebhookUses()
  const columns = useMemo(() => webhookColumns(connection.id, usesOf), [connection.id, usesOf])
  const { remove, dialog } = useDeleteWebhook()
  const rowActions = useRowActions(remove)
  const locked = useWebhookLock()
  const [chosen, setChosen] = useState<Webhook[] | null>(null)
  return (
    <>
      {data && <Dangling hooks={data} />}
      <DataTable
        label="Webhooks"
        rows={data}
        columns={columns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState icon={WebhookIcon} title="No webhooks yet" action={newButton}>
            Alerts need one to tell anybody.
          </EmptyState>
        }
        {...table}
        nameOf={nameOf}
        rowActions={rowActions}
        bulkActions={(rows) => [
          { label: 'Delete', icon: Trash2, danger: true, disabled: locked, run: () => setChosen(rows) },
        ]}
      />
      {chosen && <DeleteWebhooks chosen={chosen} onClose={() => setChosen(null)} />}
      {dialog}
    </>
  )
}

const nameOf = (hook: Webhook) => hook.name

/** Alerts that tell nobody, because their webhook is gone. */
function Dangling({ hooks }: { hooks: readonly Webhook[] }) {
  const connection = useConnection()
  const names = useNames(connection)
  const { data } = useQuery(q(connection.id, alerts.list, {}))
  const lost = alertsWithoutWebhook(data ?? [], hooks)
  if (lost.length === 0) return null
  return (
    <Box sx={{ mb: 4 }}>
      <Notice tone="warning">
        {lost.length === 1 ? '1 alert names a webhook' : `${lost.length} alerts name webhooks`} that{' '}
        {lost.length === 1 ? 'is' : 'are'} not there:{' '}
        {lost.slice(0, 5).map((alert, at) => (
          <span key={alert.id}>
            {at > 0 && ', '}
            <TextLink underline="always" to={paths.alert(connection.id, alert.id)}>
              {alertName(alert, names)}
            </TextLink>
          </span>
        ))}
        {lost.length > 5 && ` and ${lost.length - 5} more`}.
      </Notice>
    </Box>
  )
}

function useRowActions(remove: ReturnType<typeof useDeleteWebhook>['remove']): (hook: Webhook) => Action[] {
  const connection = useConnection()
  const navigate = useNavigate()
  const disabled = useWebhookLock()
  return (hook) => [
    {
      label: 'Edit',
      icon: Pencil,
      disabled,
      run: () => void navigate({ to: paths.editWebhook(connection.id, hook.id) }),
    },
    { label: 'Copy id', icon: Copy, run: () => void copyText(hook.id, 'Id') },
    { label: 'Delete', icon: Trash2, danger: true, disabled, run: () => void remove(hook) },
  ]
}
