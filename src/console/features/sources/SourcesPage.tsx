import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Database, Pencil, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useNewButton } from '#console/shell/record/useNewButton.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { sources, type Source } from '#contract/sources.ts'
import { sourceColumns } from './columns.tsx'
import { Dangling } from './Dangling.tsx'
import { useDeleteSource } from './useDeleteSource.tsx'
import { readSources, useSourceLock, useSourceUsers } from './useSources.ts'

const DeleteSources = lazyComponent(async () => (await import('./DeleteSources.tsx')).DeleteSources)

export { readSources as reads }

export default function SourcesPage() {
  const connection = useConnection()
  const { data, error, refetch } = useQuery(q(connection.id, sources.list, {}))
  const usersOf = useSourceUsers()
  const columns = useMemo(() => sourceColumns(connection.id, usersOf), [connection.id, usersOf])
  const locked = useSourceLock()
  const newButton = useNewButton('source', paths.newSource(connection.id), locked)
  const rowActions = useRowActions(locked)
  const [chosen, setChosen] = useState<Source[] | null>(null)
  return (
    <Page
      title="Sources"
      state={locked?.startsWith('List only') && <StatusChip tone="neutral">List only</StatusChip>}
      lead="Where charts, dashboards and alerts read from: a table, and what its columns mean."
      actions={newButton}
    >
      {data && <Dangling sources={data} />}
      <DataTable
        label="Sources"
        rows={data}
        columns={columns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState icon={Database} title="No sources yet" action={newButton}>
            Dashboards, alerts and the explorer need one to read from.
          </EmptyState>
        }
        {...useTableState()}
        nameOf={nameOf}
        rowActions={rowActions}
        bulkActions={(rows) => [
          { label: 'Delete', icon: Trash2, danger: true, disabled: locked, run: () => setChosen(rows) },
        ]}
      />
      {chosen && <DeleteSources chosen={chosen} onClose={() => setChosen(null)} />}
    </Page>
  )
}

const nameOf = (source: Source) => source.name

function useRowActions(disabled: string | undefined): (source: Source) => Action[] {
  const connection = useConnection()
  const navigate = useNavigate()
  const remove = useDeleteSource()
  return (source) => [
    {
      label: 'Edit',
      icon: Pencil,
      disabled,
      run: () => void navigate({ to: paths.editSource(connection.id, source.id) }),
    },
    { label: 'Copy id', icon: Copy, run: () => void copyText(source.id, 'Id') },
    { label: 'Delete', icon: Trash2, danger: true, disabled, run: () => void remove(source) },
  ]
}
