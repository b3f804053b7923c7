import { useNavigate } from '@tanstack/react-router'
import { Copy, Pencil, Plus } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { Action } from '#console/ui/actions/actions.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { capitalized, plural } from '#domain/text/words.ts'
import { formatResourceName } from '#contract/wire/naming.ts'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useTableState } from '#console/shell/useTableState.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { usePageActions } from '#console/shell/pageActions.ts'
import type { RecordBase, RecordContext, RecordKey, Resource } from './resource.ts'
import { useEnvironmentActions } from './useEnvironmentActions.ts'

/** Texts and actions of a list page. */
export interface ListProps<T extends RecordBase> {
  lead: string
  columns: Column<T>[]
  /** The text of an empty list below its title. */
  empty: string
  /** The title of the empty list. Default: that there are none yet. */
  emptyTitle?: string
  /** Chips beside the title. */
  renderState?: (rows: readonly T[]) => ReactNode
  /** Above the table, once it is loaded. */
  renderNotice?: (rows: readonly T[]) => ReactNode
  /** The order of rows while the person has chosen none. */
  order?: (a: T, b: T) => number
  /** The title of a row's group. */
  groupOf?: ((record: T) => string) | undefined
  /** In the toolbar of the table: how its rows are arranged. */
  view?: ReactNode
  /** Beside the button of a new record: links to what concerns all of them. */
  links?: ReactNode
  /** Actions of a row before Edit. */
  commands?: (record: T) => Action[]
  /** Actions of a row between Edit and Copy ID. */
  rowActions?: (record: T) => Action[]
}

interface RecordTableProps<T extends RecordBase> extends ListProps<T>, Omit<RecordContext<T>, 'usesOf'> {
  resource: Pick<Resource<T>, 'name' | 'noun' | 'longNoun' | 'icon' | 'nameOf' | 'paths'>
  read: { data: readonly T[] | undefined; error: Error | null; refetch: () => unknown }
  /** The form of a new record; undefined if none can be created. */
  newPath: string | undefined
  /** Why the list is not offered here; whether it is read anyway. */
  offer?: { reason: string | undefined; tried: boolean; onTryAnyway?: () => void }
  /** Above the table, while it loads too. */
  notice?: ReactNode
  /** Default: the record's ID. */
  keyOf?: (record: T) => RecordKey
  /** Actions of a row after Copy ID. */
  lastActions?: (record: T) => Action[]
  bulkActions?: ((rows: T[]) => Action[]) | undefined
  /** Dialogs. */
  children?: ReactNode
}

/** The page of a list: search, sort and filters, and the actions of a row. */
export function RecordTable<T extends RecordBase>(props: RecordTableProps<T>) {
  const { resource, read, newPath, offer, lead, columns, renderState, renderNotice, bulkActions } = props
  const { name, noun, longNoun, icon } = resource
  const { empty, emptyTitle = `No ${formatResourceName(name)} yet`, children } = props
  const connection = useConnection()
  const { locked = lockReason(connection), nameOf = resource.nameOf } = props
  const newButton = useNewButton(noun, newPath, locked)
  const rowActions = useRowActions(props, locked)
  const table = useTableState()
  const title = capitalized(plural(longNoun))
  const { error } = read
  const { order, groupOf } = props
  const data = useMemo(() => (order ? read.data?.toSorted(order) : read.data), [read.data, order])
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
      actions={
        offer?.reason === undefined && (
          <>
            {props.links}
            {newButton}
          </>
        )
      }
    >
      {offer?.reason === undefined || offer.tried ? (
        <>
          {props.notice}
          {data && renderNotice?.(data)}
          <DataTable
            label={title}
            rows={data}
            columns={columns}
            error={error && <QueryError error={error} onRetry={() => void read.refetch()} />}
            empty={
              <EmptyState icon={icon} title={emptyTitle} action={newButton}>
                {empty}
              </EmptyState>
            }
            {...table}
            nameOf={nameOf}
            groupOf={groupOf}
            view={props.view}
            rowActions={rowActions}
            {...(bulkActions && { bulkActions })}
          />
        </>
      ) : (
        <NotOffered {...offer} reason={offer.reason} />
      )}
      {children}
    </Page>
  )
}

function useRowActions<T extends RecordBase>(props: RecordTableProps<T>, disabled: string | undefined) {
  const { resource, keyOf = ({ id }) => [id], commands, rowActions, lastActions } = props
  const { id: connectionId } = useConnection()
  const navigate = useNavigate()
  const environments = useEnvironmentActions(resource.name)
  return (record: T): Action[] => [
    ...(commands?.(record) ?? []),
    {
      label: 'Edit',
      icon: Pencil,
      disabled,
      run: () => void navigate({ to: resource.paths.edit(connectionId, ...keyOf(record)) }),
    },
    ...(rowActions?.(record) ?? []),
    ...environments.ofRecord(record.id),
    { label: 'Copy ID', icon: Copy, run: () => void copyText(record.id, 'ID') },
    ...(lastActions?.(record) ?? []),
  ]
}

/**
 * The button that opens the form of a new record, for the head of a list and for an empty list; the key `n` does too.
 * @param noun the name of one record inside a sentence: "alert"
 * @param to the form; undefined if none can be created here
 * @param locked why none can be created
 */
function useNewButton(noun: string, to: string | undefined, locked: string | undefined): ReactNode {
  const navigate = useNavigate()
  const label = `New ${noun}`
  usePageActions(
    useMemo(
      () => (to ? [{ label, icon: Plus, key: 'n', disabled: locked, run: () => void navigate({ to }) }] : []),
      [label, locked, navigate, to],
    ),
  )
  if (!to) return undefined
  return (
    <DisabledReason reason={locked}>
      <LinkButton
        to={to}
        variant="contained"
        color="primary"
        disabled={locked !== undefined}
        startIcon={<Plus size={14} aria-hidden />}
      >
        {label}
      </LinkButton>
    </DisabledReason>
  )
}
