import { useQuery } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import { q, readAhead } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { sourceKinds, sources, type Source } from '#contract/sources.ts'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, sources.list, {})
}

/** `default.otel_logs`; a metrics source has a table for each type of metric. */
function tableOf({ from, metricTables }: Source): string {
  const tables = from?.tableName ? [from.tableName] : Object.values(metricTables ?? {})
  return tables.map((table) => (from?.databaseName ? `${from.databaseName}.${table}` : table)).join(', ')
}

const columns: Column<Source>[] = [
  { id: 'name', title: 'Name', grow: 0.6, width: 150, value: (source) => source.name },
  {
    id: 'kind',
    title: 'Kind',
    width: 110,
    type: 'choice',
    options: sourceKinds.map((kind) => ({ value: kind, label: kind })),
    value: (source) => source.kind,
    cell: (source) => <StatusChip tone="neutral">{source.kind}</StatusChip>,
  },
  {
    id: 'table',
    title: 'Table',
    grow: 1,
    width: 200,
    value: tableOf,
    cell: (source) => <code>{tableOf(source)}</code>,
  },
  { id: 'section', title: 'Section', width: 120, hidden: true, value: (source) => source.section },
  { id: 'disabled', title: 'Disabled', width: 90, type: 'yesNo', hidden: true, value: (source) => source.disabled },
  { id: 'id', title: 'Id', width: 230, value: (source) => source.id, cell: (source) => <code>{source.id}</code> },
]

export default function SourcesPage() {
  const connection = useConnection()
  const { data, error, refetch } = useQuery(q(connection.id, sources.list, {}))
  return (
    <Page
      title="Sources"
      lead="Where charts, dashboards and alerts read from. The API lists them; it does not change them."
    >
      <DataTable
        label="Sources"
        rows={data}
        columns={columns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState icon={Database} title="No sources">
            Sources are made where the deployment is set up.
          </EmptyState>
        }
        {...useTableState()}
        nameOf={nameOf}
      />
    </Page>
  )
}

const nameOf = (source: Source) => source.name
