import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useOffer } from '#console/api/offers.ts'
import { q } from '#console/api/queries.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { capitalized } from '#console/ui/format.ts'
import { Page } from '#console/ui/layout/Page.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { useConnection } from '../connection.tsx'
import { NotOffered } from '../fallbacks/NotOffered.tsx'
import { QueryError } from '../fallbacks/QueryError.tsx'
import { lockReason } from '../lockReason.ts'
import { copyText } from '../messages/copyText.ts'
import { useTableState } from '../useTableState.ts'
import type { DeleteRecords as DeleteRecordsType } from './DeleteRecords.tsx'
import { asCrud, type RecordBase, type RecordContext, type Resource } from './resource.ts'
import { useDeleteRecord } from './useDeleteRecord.tsx'
import { useNewButton } from './useNewButton.tsx'

// Few visits delete: the code of the dialog is loaded with the first that does. `lazyComponent` does not keep type parameters.
const DeleteRecords = lazyComponent(
  async () => (await import('./DeleteRecords.tsx')).DeleteRecords,
) as typeof DeleteRecordsType

interface RecordListProps<T extends RecordBase> extends RecordContext<T> {
  resource: Resource<T>
  lead: string
  columns: Column<T>[]
  /** What the empty list says below its title. */
  empty: string
  /** The title of the empty list. Default: that there are none yet. */
  emptyTitle?: string
  /** Chips beside the title. */
  renderState?: (rows: readonly T[]) => ReactNode
  /** Above the table, once it is loaded. */
  renderNotice?: (rows: readonly T[]) => ReactNode
  /** Actions of a row before Edit. */
  commands?: (record: T) => Action[]
  /** Actions of a row besides Edit, Copy ID and Delete. */
  rowActions?: (record: T) => Action[]
  /** Milliseconds between two reads while the page is visible. */
  pollInterval?: number | ((rows: readonly T[]) => number)
}

/** The list of a resource: search, sort and filters, actions of a row, and deleting many. */
export function RecordList<T extends RecordBase>(props: RecordListProps<T>) {
  const { resource, lead, columns, renderState, renderNotice, pollInterval = false, usesOf } = props
  const { name, noun, icon, api } = resource
  const { empty, emptyTitle = `No ${name} yet` } = props
  const crud = asCrud(resource)
  const connection = useConnection()
  const { locked = lockReason(connection), nameOf = resource.nameOf } = props
  const { reason } = useOffer(connection, name, api.list.variants)
  const [asked, setAsked] = useState(false)
  const shown = reason === undefined || asked
  const { data, error, refetch } = useQuery({
    ...q(connection.id, api.list, {}),
    enabled: shown,
    refetchInterval: ({ state }) =>
      typeof pollInterval === 'function' ? pollInterval(state.data ?? []) : pollInterval,
  })
  const newButton = useNewButton(noun, crud?.paths.new(connection.id), locked)
  const { rowActions, dialog } = useRowActions(props, locked)
  const [chosen, setChosen] = useState<T[] | null>(null)
  const table = useTableState()
  const title = capitalized(name)
  return (
    <Page
      title={title}
      state={
        <>
          {data && renderState?.(data)}
          {locked?.startsWith('List only') && <StatusChip tone="neutral">List only</StatusChip>}
        </>
      }
      lead={lead}
      actions={reason === undefined && newButton}
    >
      {shown ? (
        <>
          {data && renderNotice?.(data)}
          <DataTable
            label={title}
            rows={data}
            columns={columns}
            error={error && <QueryError error={error} onRetry={() => void refetch()} />}
            empty={
              <EmptyState icon={icon} title={emptyTitle} action={newButton}>
                {empty}
              </EmptyState>
            }
            {...table}
            nameOf={nameOf}
            rowActions={rowActions}
            {...(crud && {
              bulkActions: (rows: T[]) => [
                { label: 'Delete', icon: Trash2, danger: true, disabled: locked, run: () => setChosen(rows) },
              ],
            })}
          />
        </>
      ) : (
        // No API without organizations offers what belongs to one.
        <NotOffered reason={reason} {...(api.list.scope !== 'organization' && { onAsk: () => setAsked(true) })} />
      )}
      {crud && chosen && (
        <DeleteRecords {...{ resource: crud, nameOf, usesOf, chosen }} onClose={() => setChosen(null)} />
      )}
      {dialog}
    </Page>
  )
}

function useRowActions<T extends RecordBase>(
  {
    resource,
    nameOf,
    commands = () => [],
    rowActions = () => [],
  }: Pick<RecordListProps<T>, 'resource' | 'nameOf' | 'commands' | 'rowActions'>,
  disabled: string | undefined,
) {
  const { id: connectionId } = useConnection()
  const navigate = useNavigate()
  const { remove, dialog } = useDeleteRecord(resource, nameOf)
  const actions = (record: T): Action[] => [
    ...commands(record),
    {
      label: 'Edit',
      icon: Pencil,
      disabled,
      run: () => void navigate({ to: resource.paths.edit(connectionId, record.id) }),
    },
    ...rowActions(record),
    { label: 'Copy ID', icon: Copy, run: () => void copyText(record.id, 'ID') },
    ...(remove ? [{ label: 'Delete', icon: Trash2, danger: true, disabled, run: () => void remove(record) }] : []),
  ]
  return { rowActions: actions, dialog }
}
