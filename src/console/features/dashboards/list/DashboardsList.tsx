import type { UseQueryResult } from '@tanstack/react-query'
import { hint } from '#console/ui/hint/hint.ts'
import { LayoutDashboard, LayoutGrid, List, Plus, Upload } from 'lucide-react'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { z } from 'zod'
import type { Alert } from '#contract/stack/alerts.ts'
import type { DashboardSummary } from '#contract/stack/dashboards/dashboards.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { type PageAction, usePageActions } from '#console/shell/pageActions.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import { useTableState } from '#console/shell/useTableState.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { DashboardTable } from './DashboardTable.tsx'
import type { BulkKind } from './useRowActions.tsx'
import { type DashboardRow, filterRows, rowsOf, tagCounts } from './rows.ts'
import { TagFilter } from './TagFilter.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from '../dashboards.module.css'

// Parts that few visits open come with its first opening.
const DashboardCards = lazyComponent(async () => (await import('./DashboardCards.tsx')).DashboardCards)
const DeleteDialog = lazyComponent(async () => (await import('./DeleteDialog.tsx')).DeleteDialog)
const ImportDialog = lazyComponent(async () => (await import('../import/ImportDialog.tsx')).ImportDialog)
const NewDashboardDialog = lazyComponent(
  async () => (await import('../templates/NewDashboardDialog.tsx')).NewDashboardDialog,
)
const TagDialog = lazyComponent(async () => (await import('./TagDialog.tsx')).TagDialog)

/** Loads the code of exports with the first one. */
function exportDashboards(connectionId: string, ids: readonly string[]): void {
  import('./exporting.ts').then((exporting) => exporting.exportDashboards(connectionId, ids), toastFailure)
}

const schema = z.object({
  view: z.enum(['list', 'grid']).catch('list'),
  /** The selected tags as a JSON array, because a tag can contain a comma. */
  tags: z.string().optional(),
  /** Asks for the name of a new one. */
  new: z.string().optional(),
})

interface DashboardsListProps {
  list: UseQueryResult<DashboardSummary[], Error>
  alerts: readonly Alert[] | undefined
}

type Open = { what: 'import' } | { what: 'delete' | 'tag'; dashboards: DashboardRow[] }

/** Dashboards as a list or as cards; found by name and tag; made, taken in, tagged and deleted here. */
export function DashboardsList({ list, alerts }: DashboardsListProps) {
  const connection = useConnection()
  const connectionId = connection.id
  const [{ view, tags: tagText, new: making }, setState] = useUrlState(schema)
  const table = useTableState()
  const [open, setOpen] = useState<Open | null>(null)
  const rows = useMemo(() => list.data && rowsOf(list.data, alerts), [list.data, alerts])
  const tags = useMemo(() => readTags(tagText), [tagText])
  const tagged = useMemo(() => rows && (tags.length > 0 ? filterRows(rows, tags) : rows), [rows, tags])
  const counts = useMemo(() => (rows ? tagCounts(rows) : []), [rows])
  const locked = lockReason(connection)

  const bulk = (kind: BulkKind, chosen: DashboardRow[]) => {
    if (kind === 'export')
      exportDashboards(
        connectionId,
        chosen.map(({ id }) => id),
      )
    else setOpen({ what: kind, dashboards: chosen })
  }
  const close = () => setOpen(null)
  const make = useCallback(() => setState({ new: '1' }), [setState])
  usePageActions(
    useMemo<PageAction[]>(
      () => [
        { label: 'New dashboard', key: 'n', icon: Plus, run: make, disabled: locked },
        { label: 'Import dashboards', icon: Upload, run: () => setOpen({ what: 'import' }), disabled: locked },
      ],
      [locked, make],
    ),
  )
  const create = <CreateButton locked={locked} onCreate={make} />
  const shown = {
    rows: tagged,
    error: list.isError ? <QueryError error={list.error} onRetry={() => void list.refetch()} /> : null,
    empty: rows?.length === 0 ? <NoDashboards action={create} /> : <EmptyState title="No dashboards have these tags" />,
    onBulk: bulk,
    locked,
    table,
  }
  return (
    <Page
      title="Dashboards"
      lead="Charts, numbers and tables of your telemetry."
      actions={
        <>
          <ViewSwitch view={view} onView={(next) => setState({ view: next })} />
          <DisabledReason reason={locked}>
            <Button
              startIcon={<Upload size={14} aria-hidden />}
              disabled={locked !== undefined}
              onClick={() => setOpen({ what: 'import' })}
            >
              Import
            </Button>
          </DisabledReason>
          {create}
        </>
      }
    >
      <TagFilter
        counts={rows && rows.length > 0 ? counts : undefined}
        chosen={tags}
        onChoose={(next) => setState({ tags: next.length > 0 ? JSON.stringify(next) : undefined })}
      />
      {view === 'grid' ? <DashboardCards {...shown} /> : <DashboardTable {...shown} />}
      {making && !locked && <NewDashboardDialog onClose={() => setState({ new: undefined })} />}
      {open?.what === 'import' && <ImportDialog onClose={close} />}
      {open?.what === 'delete' && <DeleteDialog dashboards={open.dashboards} onClose={close} />}
      {open?.what === 'tag' && (
        <TagDialog dashboards={open.dashboards} known={counts.map(({ tag }) => tag)} onClose={close} />
      )}
    </Page>
  )
}

interface CreateButtonProps {
  /** Why nothing can be changed here. */
  locked: string | undefined
  onCreate: () => void
}

function CreateButton({ locked, onCreate }: CreateButtonProps) {
  return (
    <DisabledReason reason={locked}>
      <Button
        variant="contained"
        color="primary"
        disabled={locked !== undefined}
        startIcon={<Plus size={14} aria-hidden />}
        onClick={onCreate}
      >
        New dashboard
      </Button>
    </DisabledReason>
  )
}

function NoDashboards({ action }: { action: ReactNode }) {
  return (
    <EmptyState icon={LayoutDashboard} title="No dashboards yet" action={action}>
      Dashboards show charts, numbers and tables of your telemetry. You can create alerts on their tiles.
    </EmptyState>
  )
}

function readTags(text: string | undefined): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(text ?? '[]'))
  } catch {
    return []
  }
}

function ViewSwitch({ view, onView }: { view: 'list' | 'grid'; onView: (view: 'list' | 'grid') => void }) {
  const views = [
    { id: 'list', label: 'List', Icon: List },
    { id: 'grid', label: 'Cards', Icon: LayoutGrid },
  ] as const
  return (
    <div role="group" aria-label="View" className={css.viewSwitch}>
      {views.map(({ id, label, Icon }) => (
        <IconButton
          key={id}
          {...hint(label)}
          aria-label={label}
          aria-pressed={view === id}
          onClick={() => onView(id)}
          className={css.view}
        >
          <Icon size={15} aria-hidden />
        </IconButton>
      ))}
    </div>
  )
}
