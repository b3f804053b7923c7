import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import type { DeleteRecords as DeleteRecordsType } from './DeleteRecords.tsx'
import { RecordTable, type ListProps } from './RecordTable.tsx'
import { asCrud, type RecordBase, type RecordContext, type Resource } from './resource.ts'
import { useDeleteRecord } from './useDeleteRecord.tsx'
import { useEnvironmentActions } from './useEnvironmentActions.ts'

// Few visits delete: the code of the dialog is loaded with the first that does. `lazyComponent` does not keep type parameters.
const DeleteRecords = lazyComponent(
  async () => (await import('./DeleteRecords.tsx')).DeleteRecords,
) as typeof DeleteRecordsType

interface RecordListProps<T extends RecordBase> extends ListProps<T>, RecordContext<T> {
  resource: Resource<T>
  /** Milliseconds between two reads while the page is visible. */
  pollInterval?: number | ((rows: readonly T[]) => number)
  /** Actions on selected rows, before Delete. */
  bulkActions?: (rows: T[]) => Action[]
  /** The form of a new record, where the resource has a way of its own to create one. */
  newPath?: string
  /** Actions of a row after Copy ID, where the resource has a way of its own to delete one. */
  lastActions?: (record: T) => Action[]
  /** Dialogs. */
  children?: ReactNode
}

/** The list of a resource: search, sort and filters, actions of a row, and deleting many. */
export function RecordList<T extends RecordBase>({ pollInterval, bulkActions, ...props }: RecordListProps<T>) {
  const { resource, usesOf } = props
  const { name, api } = resource
  const crud = asCrud(resource)
  const connection = useConnection()
  const { locked: disabled = lockReason(connection), nameOf = resource.nameOf } = props
  const { reason } = useOffer(connection, name, api.list.variants)
  const [tried, setTried] = useState(false)
  const read = useQuery({
    ...q(connection.id, api.list, {}),
    enabled: reason === undefined || tried,
    refetchInterval: ({ state }) =>
      typeof pollInterval === 'function' ? pollInterval(state.data ?? []) : (pollInterval ?? false),
  })
  const { remove, dialog } = useDeleteRecord(resource, nameOf)
  const environments = useEnvironmentActions(name)
  const [chosen, setChosen] = useState<T[] | null>(null)
  const deletion = (run: () => void): Action => ({ label: 'Delete', icon: Trash2, danger: true, disabled, run })
  // No API without organizations offers what belongs to one.
  const onTryAnyway = api.list.scope === 'organization' ? {} : { onTryAnyway: () => setTried(true) }
  return (
    <RecordTable
      {...props}
      read={read}
      newPath={crud?.paths.new(connection.id) ?? props.newPath}
      offer={{ reason, tried, ...onTryAnyway }}
      lastActions={(record) => (remove ? [deletion(() => void remove(record))] : (props.lastActions?.(record) ?? []))}
      bulkActions={
        crud &&
        ((rows) => [
          ...(bulkActions?.(rows) ?? []),
          ...environments.ofRecords(rows.map(({ id }) => id)),
          deletion(() => setChosen(rows)),
        ])
      }
    >
      {crud && chosen && (
        <DeleteRecords {...{ resource: crud, nameOf, usesOf, chosen }} onClose={() => setChosen(null)} />
      )}
      {dialog}
      {props.children}
    </RecordTable>
  )
}
