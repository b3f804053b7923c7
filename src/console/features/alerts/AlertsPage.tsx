import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bell, Copy, CopyPlus, Pencil, Plus, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { q, readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { usePageActions } from '#console/shell/pageActions.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import type { Action } from '#console/ui/actions.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/Page.tsx'
import { Reasoned } from '#console/ui/Reasoned.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { alerts, type Alert } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'

import { alertColumns } from './columns.tsx'
import { alertName, useNames } from '#console/api/alertNames.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { DeleteAlerts } from './DeleteAlerts.tsx'
import { useDeleteAlert } from './deleting.ts'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, alerts.list, {})
  readAhead(connectionId, dashboards.list, {})
}

/** Milliseconds between two looks at the states while the page is in sight. */
const look = 30_000

export default function AlertsPage() {
  const connection = useConnection()
  const names = useNames(connection)
  const { data, error, refetch } = useQuery({ ...q(connection.id, alerts.list, {}), refetchInterval: look })
  const [chosen, setChosen] = useState<Alert[] | null>(null)
  const columns = useMemo(() => alertColumns(connection.id, names), [connection.id, names])
  const nameOf = useCallback((alert: Alert) => alertName(alert, names), [names])
  const rowActions = useRowActions()
  const locked = lockReason(connection)
  const firing = data?.filter((alert) => alert.state === 'ALERT').length ?? 0

  return (
    <Page
      title="Alerts"
      state={firing > 0 && <StatusChip tone="bad">{firing} firing</StatusChip>}
      lead="Tell somebody when a number on a dashboard, or the lines of a saved search, leave their bounds."
      actions={<NewAlertButton locked={locked} />}
    >
      <DataTable
        label="Alerts"
        rows={data}
        columns={columns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState icon={Bell} title="No alerts yet" action={<NewAlertButton locked={locked} />}>
            An alert watches one tile of a dashboard, or a saved search, and calls a webhook when a threshold is
            crossed.
          </EmptyState>
        }
        {...useTableState()}
        nameOf={nameOf}
        rowActions={rowActions}
        bulkActions={(rows) => [
          { label: 'Delete', icon: Trash2, danger: true, disabled: locked, run: () => setChosen(rows) },
        ]}
      />
      {chosen && <DeleteAlerts chosen={chosen} nameOf={nameOf} onClose={() => setChosen(null)} />}
    </Page>
  )
}

function NewAlertButton({ locked }: { locked: string | undefined }) {
  const connection = useConnection()
  const navigate = useNavigate()
  const to = paths.newAlert(connection.id)
  usePageActions(
    useMemo(
      () => [{ label: 'New alert', icon: Plus, key: 'n', disabled: locked, run: () => void navigate({ to }) }],
      [locked, navigate, to],
    ),
  )
  return (
    <Reasoned reason={locked}>
      <LinkButton to={to} variant="contained" color="primary" disabled={locked !== undefined}>
        New alert
      </LinkButton>
    </Reasoned>
  )
}

function useRowActions(): (alert: Alert) => Action[] {
  const connection = useConnection()
  const navigate = useNavigate()
  const remove = useDeleteAlert()
  const disabled = lockReason(connection)
  return (alert) => [
    {
      label: 'Edit',
      icon: Pencil,
      disabled,
      run: () => void navigate({ to: paths.editAlert(connection.id, alert.id) }),
    },
    {
      label: 'Duplicate',
      icon: CopyPlus,
      disabled,
      run: () => void navigate({ to: paths.newAlert(connection.id), search: { from: alert.id } }),
    },
    { label: 'Copy id', icon: Copy, run: () => void navigator.clipboard.writeText(alert.id) },
    { label: 'Delete', icon: Trash2, danger: true, disabled, run: () => void remove(alert) },
  ]
}
