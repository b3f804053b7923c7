import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bell, Copy, CopyPlus, Pencil, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { alertName, useNames } from '#console/references/alertNames.ts'
import { q, readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useNewButton } from '#console/shell/record/useNewButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { alerts, type Alert } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'
import { alertColumns } from './columns.tsx'
import { useDeleteAlert } from './deleting.ts'

// Few visits delete: the dialog's code comes with the first that does.
const DeleteAlerts = lazyComponent(async () => (await import('./DeleteAlerts.tsx')).DeleteAlerts)

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, alerts.list, {})
  readAhead(connectionId, dashboards.list, {})
}

/** Milliseconds between two looks at the states while the page is in sight. */
const pollInterval = 30_000

export default function AlertsPage() {
  const connection = useConnection()
  const names = useNames(connection)
  const { data, error, refetch } = useQuery({ ...q(connection.id, alerts.list, {}), refetchInterval: pollInterval })
  const [chosen, setChosen] = useState<Alert[] | null>(null)
  const columns = useMemo(() => alertColumns(connection.id, names), [connection.id, names])
  const nameOf = useCallback((alert: Alert) => alertName(alert, names), [names])
  const rowActions = useRowActions()
  const locked = lockReason(connection)
  const newButton = useNewButton('alert', paths.newAlert(connection.id), locked)
  const firing = data?.filter((alert) => alert.state === 'ALERT').length ?? 0

  return (
    <Page
      title="Alerts"
      state={firing > 0 && <StatusChip tone="bad">{firing} firing</StatusChip>}
      lead="Tell somebody when a number on a dashboard, or the lines of a saved search, leave their bounds."
      actions={newButton}
    >
      <DataTable
        label="Alerts"
        rows={data}
        columns={columns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState icon={Bell} title="No alerts yet" action={newButton}>
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
    { label: 'Copy id', icon: Copy, run: () => void copyText(alert.id, 'Id') },
    { label: 'Delete', icon: Trash2, danger: true, disabled, run: () => void remove(alert) },
  ]
}
