import { Download, Tags, Trash2 } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { useEnvironmentActions } from '#console/records/record/useEnvironmentActions.ts'
import type { useTableState } from '#console/shell/useTableState.ts'
import { paths } from '#console/paths/paths.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { AlertCell } from './AlertCell.tsx'
import { type BulkKind, RowDialogs, type RowDialog, useRowActions } from './useRowActions.tsx'
import { formatAlerts, type DashboardRow } from './rows.ts'
import * as css from '../dashboards.module.css'

export interface DashboardRowsProps {
  /** Undefined while they are loading. */
  rows: readonly DashboardRow[] | undefined
  error: ReactNode | null
  empty: ReactNode
  onBulk: (kind: BulkKind, rows: DashboardRow[]) => void
  /** Why nothing can be changed here. */
  locked: string | undefined
}

interface DashboardTableProps extends DashboardRowsProps {
  table: ReturnType<typeof useTableState>
}

/** Dashboards as rows. */
export function DashboardTable({ rows, error, empty, onBulk, locked, table }: DashboardTableProps) {
  const { id: connectionId } = useConnection()
  const [dialog, setDialog] = useState<RowDialog | null>(null)
  const columns = useMemo(() => columnsFor(connectionId), [connectionId])
  const environments = useEnvironmentActions('dashboards')
  const actionsOf = useRowActions(setDialog, onBulk, locked)
  return (
    <>
      <DataTable
        label="Dashboards"
        rows={rows}
        columns={columns}
        error={error}
        empty={empty}
        state={table.state}
        onState={table.onState}
        nameOf={nameOf}
        rowActions={actionsOf}
        bulkActions={(chosen): Action[] => [
          { label: 'Tag', icon: Tags, run: () => onBulk('tag', chosen), disabled: locked },
          { label: 'Export', icon: Download, run: () => onBulk('export', chosen) },
          ...environments.ofRecords(chosen.map(({ id }) => id)),
          { label: 'Delete', icon: Trash2, run: () => onBulk('delete', chosen), danger: true, disabled: locked },
        ]}
      />
      <RowDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </>
  )
}

const nameOf = (row: DashboardRow) => row.name

function columnsFor(connectionId: string): Column<DashboardRow>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      grow: 2,
      width: 200,
      value: (row) => row.name,
      cell: (row) => (
        <TextLink to={paths.dashboard(connectionId, row.id)} className={css.columnsFor}>
          {row.name}
        </TextLink>
      ),
    },
    {
      id: 'tags',
      title: 'Tags',
      grow: 1,
      value: (row) => row.tags.join(' '),
      cell: (row) => (
        <div className={css.tags}>
          {row.tags.map((tag) => (
            <StatusChip key={tag} tone="neutral">
              {tag}
            </StatusChip>
          ))}
        </div>
      ),
    },
    { id: 'tiles', title: 'Tiles', type: 'number', width: 80, value: (row) => row.tileCount },
    {
      id: 'alerts',
      title: 'Alerts',
      type: 'number',
      width: 150,
      value: (row) => row.alerts.length,
      text: formatAlerts,
      cell: (row) => <AlertCell row={row} />,
    },
    { id: 'id', title: 'ID', width: 220, hidden: true, value: (row) => row.id },
  ]
}
