import { useQuery } from '@tanstack/react-query'
import { LayoutDashboard } from 'lucide-react'
import { q, readAhead } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/Page.tsx'
import type { Column } from '#console/ui/table/columns.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { dashboards, type Dashboard } from '#contract/dashboards.ts'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, dashboards.list, {})
}

const columns: Column<Dashboard>[] = [
  { id: 'name', title: 'Name', grow: 1, width: 200, value: (board) => board.name || 'Untitled dashboard' },
  { id: 'tags', title: 'Tags', grow: 0.6, width: 140, value: (board) => board.tags.join(', ') },
  { id: 'tiles', title: 'Tiles', width: 80, type: 'number', value: (board) => board.tiles.length },
  { id: 'id', title: 'Id', width: 230, value: (board) => board.id, cell: (board) => <code>{board.id}</code> },
]

export default function DashboardsPage() {
  const connection = useConnection()
  const { data, error, refetch } = useQuery(q(connection.id, dashboards.list, {}))
  return (
    <Page title="Dashboards" lead="Charts that belong together.">
      <DataTable
        label="Dashboards"
        rows={data}
        columns={columns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState icon={LayoutDashboard} title="No dashboards yet">
            Dashboards that anybody makes through this deployment’s API appear here.
          </EmptyState>
        }
        {...useTableState()}
        nameOf={nameOf}
      />
    </Page>
  )
}

const nameOf = (board: Dashboard) => board.name
