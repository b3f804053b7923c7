import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ClipboardList, Copy, Database, Link2, Pencil, SquareTerminal, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { basePath } from '#console/api/document/basePath.ts'
import { savedStatementsQuery } from '#console/api/gateway/savedStatements.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton, TextLink } from '#console/shell/LinkButton.tsx'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useTableState } from '#console/shell/useTableState.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { SavedStatement } from '#contract/console/savedStatements.ts'
import { sql } from '#contract/stack/sql.ts'
import { deleteWithUndo } from './statementActions.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { idColumn } from '#console/records/record/recordColumns.tsx'
import type { Column } from '#console/ui/table/columns.ts'

const NameStatementDialog = lazyComponent(async () => (await import('./NameStatementDialog.tsx')).NameStatementDialog)
const DeleteStatements = lazyComponent(async () => (await import('./DeleteStatements.tsx')).DeleteStatements)

/** The statements that people keep on a connection. */
export default function SavedStatementsPage() {
  const connection = useConnection()
  const { sqlRefused } = connection
  const { reason } = useOffer(connection, 'sql', sql.tables.variants)
  const isShown = sqlRefused === undefined && reason === undefined
  return (
    <Page
      title="Saved statements"
      lead="SQL that people keep for everybody who may run it on this connection."
      actions={isShown && <OpenSql connection={connection} />}
    >
      {sqlRefused !== undefined && <Notice tone="warning">{sqlRefused}</Notice>}
      {sqlRefused === undefined && reason !== undefined && <NotOffered reason={reason} />}
      {isShown && <Statements key={connection.id} connection={connection} />}
    </Page>
  )
}

function OpenSql({ connection }: { connection: Connection }) {
  return (
    <LinkButton to={paths.sql(connection.id)} startIcon={<Database size={14} aria-hidden />}>
      Write SQL
    </LinkButton>
  )
}

function Statements({ connection }: { connection: Connection }) {
  const { data, error, refetch } = useQuery(savedStatementsQuery(connection.id))
  const [renamed, setRenamed] = useState<SavedStatement | null>(null)
  const [deleted, setDeleted] = useState<SavedStatement[] | null>(null)
  const columns = useMemo(() => statementColumns(connection.id), [connection.id])
  const table = useTableState()
  const actionsOf = useActions(connection, setRenamed)
  const { writesRefused: disabled } = connection
  return (
    <>
      <DataTable
        label="Saved statements"
        rows={data}
        columns={columns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState icon={ClipboardList} title="No saved statements yet" action={<OpenSql connection={connection} />}>
            Write a statement on the page SQL and save it there, so that others find and run it.
          </EmptyState>
        }
        {...table}
        nameOf={({ name }) => name}
        rowActions={actionsOf}
        bulkActions={(chosen) => [
          { label: 'Delete', icon: Trash2, danger: true, disabled, run: () => setDeleted(chosen) },
        ]}
      />
      {renamed && (
        <NameStatementDialog
          connection={connection}
          renamed={renamed}
          text={renamed.text}
          onSaved={() => setRenamed(null)}
          onClose={() => setRenamed(null)}
        />
      )}
      {deleted && <DeleteStatements connection={connection} chosen={deleted} onClose={() => setDeleted(null)} />}
    </>
  )
}

function useActions(connection: Connection, rename: (row: SavedStatement) => void) {
  const { id: connectionId, writesRefused: disabled } = connection
  const navigate = useNavigate()
  return (row: SavedStatement): Action[] => [
    {
      label: 'Open',
      icon: SquareTerminal,
      run: () => void navigate({ to: paths.sql(connectionId), search: { saved: row.id } }),
    },
    { label: 'Rename', icon: Pencil, disabled, run: () => rename(row) },
    { label: 'Copy statement', icon: Copy, run: () => void copyText(row.text, 'Statement') },
    {
      label: 'Copy link',
      icon: Link2,
      run: () => void copyText(`${location.origin}${basePath}${paths.sql(connectionId)}?saved=${row.id}`, 'Link'),
    },
    { label: 'Delete', icon: Trash2, danger: true, disabled, run: () => void deleteWithUndo(connection, row) },
  ]
}

/** The columns of the list of saved statements. Their IDs are part of URLs: do not rename them. */
function statementColumns(connectionId: string): Column<SavedStatement>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      grow: 0.7,
      width: 160,
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <TextLink to={paths.sql(connectionId)} search={{ saved: id }} row>
          {name}
        </TextLink>
      ),
    },
    {
      id: 'statement',
      title: 'Statement',
      grow: 1,
      width: 360,
      value: ({ text }) => oneLine(text),
      cell: ({ text }) => <code>{oneLine(text)}</code>,
    },
    { id: 'owner', title: 'Saved by', width: 130, value: ({ author }) => formatBrowser(author) },
    { id: 'used', title: 'Last run', width: 120, type: 'timestamp', value: ({ usedAt }) => usedAt },
    { id: 'updated', title: 'Changed', width: 120, type: 'timestamp', value: ({ updatedAt }) => updatedAt },
    {
      id: 'changedBy',
      title: 'Changed by',
      width: 130,
      hidden: true,
      value: ({ changedBy }) => changedBy && formatBrowser(changedBy),
    },
    {
      id: 'created',
      title: 'Created',
      width: 120,
      type: 'timestamp',
      hidden: true,
      value: ({ createdAt }) => createdAt,
    },
    idColumn(170),
  ]
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
