import { useQuery } from '@tanstack/react-query'
import { Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useOffer } from '#console/api/offers.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/NotOffered.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { maskAddress } from '#console/ui/maskAddress.ts'
import { Page } from '#console/ui/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { webhooks, webhookServices, type Webhook } from '#contract/webhooks.ts'

const columns: Column<Webhook>[] = [
  { id: 'name', title: 'Name', grow: 0.7, width: 150, value: (hook) => hook.name },
  {
    id: 'service',
    title: 'Service',
    width: 110,
    type: 'choice',
    options: webhookServices.map((service) => ({ value: service, label: service })),
    value: (hook) => hook.service,
    cell: (hook) => <StatusChip tone="neutral">{hook.service}</StatusChip>,
  },
  // An address may embed a token: not even the search may see the rest of it.
  {
    id: 'address',
    title: 'Address',
    grow: 1,
    width: 200,
    value: (hook) => hook.url && maskAddress(hook.url),
    cell: (hook) => hook.url && <code>{maskAddress(hook.url)}</code>,
  },
  { id: 'description', title: 'Description', grow: 0.8, width: 140, value: (hook) => hook.description },
  { id: 'updated', title: 'Updated', width: 120, type: 'moment', hidden: true, value: (hook) => hook.updatedAt },
  { id: 'id', title: 'Id', width: 230, value: (hook) => hook.id, cell: (hook) => <code>{hook.id}</code> },
]

export default function WebhooksPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'webhooks', webhooks.list.variants)
  const [asked, setAsked] = useState(false)
  const { data, error, refetch } = useQuery({ ...q(connection.id, webhooks.list, {}), enabled: offered || asked })
  const table = useTableState()
  return (
    <Page title="Webhooks" lead="Where alerts send their notifications. Addresses are masked: they may hold a token.">
      {reason && !asked ? (
        <NotOffered reason={reason} onAsk={() => setAsked(true)} />
      ) : (
        <DataTable
          label="Webhooks"
          rows={data}
          columns={columns}
          error={error && <QueryError error={error} onRetry={() => void refetch()} />}
          empty={
            <EmptyState icon={WebhookIcon} title="No webhooks yet">
              Alerts need one to tell anybody. Webhooks are made where the deployment is set up.
            </EmptyState>
          }
          {...table}
          nameOf={nameOf}
        />
      )}
    </Page>
  )
}

const nameOf = (hook: Webhook) => hook.name
