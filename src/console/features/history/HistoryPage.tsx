import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download, RefreshCw, Upload, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  changesQuery,
  deletedQuery,
  saveSnapshotMinutes,
  takeSnapshot,
  totalsQuery,
} from '#console/api/gateway/history.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { usePageActions } from '#console/shell/pageActions.ts'
import { RunPanel } from '#console/records/runs/RunPanel.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { counted } from '#domain/text/words.ts'
import type { DeletedRecord, HistoryTotals, RecordVersion } from '#contract/console/history.ts'
import type { RestoreInput } from '#contract/console/runs.ts'
import { formatDate, formatMoment } from '#console/ui/time/formatTime.ts'
import { formatShort } from '#domain/charts/units.ts'
import { ChangeDetail } from './ChangeDetail.tsx'
import { ChangeList } from './ChangeList.tsx'
import { ChangeStrip } from './ChangeStrip.tsx'
import { DeletedList, isWritable } from './DeletedList.tsx'
import { Filters } from './Filters.tsx'
import { filterOf, historyState, type HistoryState } from './historyState.ts'
import { RestoreBar } from './RestoreBar.tsx'
import * as css from './history.module.css'

const ExportDialog = lazyComponent(async () => (await import('./recordFiles/ExportDialog.tsx')).ExportDialog)
const ImportDialog = lazyComponent(async () => (await import('./recordFiles/ImportDialog.tsx')).ImportDialog)
const RestoreDialog = lazyComponent(async () => (await import('./RestoreDialog.tsx')).RestoreDialog)

export function prefetch({ connectionId = '' }: Record<string, string>): void {
  void queryClient.prefetchInfiniteQuery(changesQuery(connectionId, {}))
  void queryClient.prefetchQuery(totalsQuery(connectionId))
}

interface Restoring {
  title: string
  input: RestoreInput
}

/** The changes of a connection, with author and restore. */
export default function HistoryPage() {
  const connection = useConnection()
  const [state, setUrl] = useUrlState(historyState)
  const [restoring, setRestoring] = useState<Restoring | null>(null)
  const fileActions = useMemo(
    () => [
      { label: 'Export records…', icon: Download, run: () => setUrl({ files: 'export' }) },
      { label: 'Import records…', icon: Upload, run: () => setUrl({ files: 'import' }) },
    ],
    [setUrl],
  )
  usePageActions(fileActions)
  const totals = useQuery(totalsQuery(connection.id))
  const query = useInfiniteQuery(changesQuery(connection.id, filterOf(state)))
  const changes = query.data?.pages.flatMap(({ items }) => items) ?? []
  const selected = changes.find(({ id }) => id === state.change) ?? changes[0]
  const restoreVersion = ({ version, number }: RecordVersion) => {
    if (!selected?.recordId || !isWritable(selected.kind)) return
    const versions = [{ kind: selected.kind, id: selected.recordId, version }]
    setRestoring({ title: `Restore version ${number} of ${selected.name}`, input: { versions } })
  }
  const deleted = useQuery({ ...deletedQuery(connection.id), enabled: state.back !== undefined })
  const asked = deleted.data?.find(({ kind, id }) => `${kind}/${id}` === state.back)
  const shown = restoring ?? (asked ? restoreActionFor(asked) : null)
  const closeRestore = () => {
    setRestoring(null)
    if (state.back !== undefined) setUrl({ back: undefined })
  }
  return (
    <Page
      title="History"
      lead={totals.data ? describe(totals.data) : 'Every version of every record that this console made or saw.'}
      actions={
        <div className={css.historyActions}>
          <SnapshotActions connectionId={connection.id} minutes={totals.data?.snapshotMinutes} />
          <ActionMenu label="Actions of this connection" actions={fileActions} />
        </div>
      }
    >
      <ChangeStrip connectionId={connection.id} at={state.at} onChoose={(at) => setUrl({ at })} />
      <div className={css.historyColumns}>
        <Panel flush>
          <div className={css.historyFilters}>
            <ToggleButtons
              label="Show"
              value={state.view}
              options={[
                { value: 'changes', label: 'Changes' },
                { value: 'deleted', label: <DeletedLabel connectionId={connection.id} /> },
              ]}
              onChange={(view) => setUrl({ view: view === 'changes' ? undefined : view })}
            />
            <Spacer />
            {state.view === 'changes' && (
              <Filters state={state} actors={query.data?.pages[0]?.actors ?? []} onChange={setUrl} />
            )}
            {state.from !== undefined && state.to !== undefined && (
              <Button
                startIcon={<X size={13} aria-hidden />}
                onClick={() => setUrl({ from: undefined, to: undefined })}
              >
                {formatMoment(state.from)} to {formatMoment(state.to)}
              </Button>
            )}
            {state.record !== undefined && (
              <Button
                startIcon={<X size={13} aria-hidden />}
                onClick={() => setUrl({ record: undefined, kind: undefined })}
              >
                Only {selected?.name || 'one record'}
              </Button>
            )}
          </div>
          {state.view === 'deleted' && <DeletedList onRestore={(record) => setRestoring(restoreActionFor(record))} />}
          {state.view === 'changes' && query.error && (
            <QueryError error={query.error} onRetry={() => void query.refetch()} />
          )}
          {state.view === 'changes' && query.isPending && <LoadingPanels heights={[300]} />}
          {state.view === 'changes' && query.data && changes.length === 0 && <NoChanges state={state} />}
          {state.view === 'changes' && changes.length > 0 && (
            <ChangeList
              query={query}
              changes={changes}
              selected={selected?.id}
              onSelect={({ id }) => setUrl({ change: id })}
              at={state.at}
            />
          )}
        </Panel>
        <div className={css.historySide}>
          {state.run !== undefined && <RunPanel runId={state.run} onUndo={(run) => setUrl({ run })} />}
          {selected && state.view === 'changes' && (
            <ChangeDetail
              key={selected.id}
              change={selected}
              onRestore={isWritable(selected.kind) ? restoreVersion : undefined}
            />
          )}
        </div>
      </div>
      {state.at !== undefined && (
        <RestoreBar
          at={state.at}
          onReview={(at) => setRestoring({ title: `Restore to ${formatMoment(at)}`, input: { time: at } })}
          onClear={() => setUrl({ at: undefined })}
        />
      )}
      {state.files === 'export' && <ExportDialog onClose={() => setUrl({ files: undefined })} />}
      {state.files === 'import' && (
        <ImportDialog
          onStarted={(run) => setUrl({ run, files: undefined })}
          onClose={() => setUrl({ files: undefined })}
        />
      )}
      {shown && (
        <RestoreDialog
          {...shown}
          onStarted={(run) => {
            setRestoring(null)
            setUrl({ run, at: undefined, back: undefined })
          }}
          onClose={closeRestore}
        />
      )}
    </Page>
  )
}

/** The action that restores a deleted record; null for kinds that cannot be created again. */
function restoreActionFor({ kind, id, name, at }: DeletedRecord): Restoring | null {
  if (!isWritable(kind)) return null
  const time = new Date(Date.parse(at) - 1).toISOString()
  return { title: `Bring back ${name}`, input: { time, records: [{ kind, id }] } }
}

function isFiltered(state: HistoryState): boolean {
  return Object.values(filterOf(state)).some((value) => value !== undefined)
}

function NoChanges({ state }: { state: HistoryState }) {
  const { record, cause, outcome, actor } = state
  if (record !== undefined && [cause, outcome, actor].every((filter) => filter === undefined)) {
    return (
      <EmptyState title="No changes yet">
        The record is as it was when this console first read it. Every change from now on appears here.
      </EmptyState>
    )
  }
  if (isFiltered(state)) return <EmptyState title="No matches">No change fits these filters.</EmptyState>
  return (
    <EmptyState title="No changes yet">
      Changes made in this console appear here at once. Changes by others appear when this console reads the records.
    </EmptyState>
  )
}

function describe({ versions, records, since, bytes, keptDays }: HistoryTotals): string {
  if (since === undefined) return 'Every version that this console makes or sees is kept from now on.'
  return `Every version this console made or saw: ${counted(versions, 'version')} of ${counted(records, 'record')} since ${formatDate(since)}. All histories together take ${formatShort(bytes, 'bytes')}; they are kept for ${keptDays} days.`
}

function DeletedLabel({ connectionId }: { connectionId: string }) {
  const { data } = useQuery(deletedQuery(connectionId))
  return <>Deleted{data && data.length > 0 ? ` ${data.length}` : ''}</>
}

const snapshotOptions = [
  { value: '0', label: 'No snapshots' },
  { value: '5', label: 'Snapshot every 5 min' },
  { value: '15', label: 'Snapshot every 15 min' },
  { value: '60', label: 'Snapshot every hour' },
] as const

function SnapshotActions({ connectionId, minutes }: { connectionId: string; minutes: number | undefined }) {
  const [reading, setReading] = useState(false)

  const readNow = async () => {
    setReading(true)
    await runWithToast(() => takeSnapshot(connectionId))
    setReading(false)
  }
  return (
    <>
      <SelectInput
        label="Snapshots"
        value={String(minutes ?? 15)}
        options={snapshotOptions}
        onChange={(value) => void runWithToast(() => saveSnapshotMinutes(connectionId, Number(value)))}
        minWidth={190}
      />
      <Button startIcon={<RefreshCw size={13} aria-hidden />} loading={reading} onClick={() => void readNow()}>
        Refresh
      </Button>
    </>
  )
}
