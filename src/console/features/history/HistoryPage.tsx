import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download, RefreshCw, Upload } from 'lucide-react'
import { type ComponentProps, useMemo, useState } from 'react'
import {
  changeQuery,
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
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { counted } from '#domain/text/words.ts'
import type { Change, DeletedRecord, HistoryTotals, RecordVersion } from '#contract/console/history.ts'
import type { RestoreInput } from '#contract/console/runs.ts'
import { formatDate, formatMoment } from '#console/ui/time/formatTime.ts'
import { formatShort } from '#domain/charts/units.ts'
import { ChangeDetail } from './ChangeDetail.tsx'
import { ChangeList } from './ChangeList.tsx'
import { ChangeStrip } from './ChangeStrip.tsx'
import { DeletedList, isWritable } from './DeletedList.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'
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
  const fileActions = useFileActions(setUrl)
  const totals = useQuery(totalsQuery(connection.id))
  const query = useInfiniteQuery(changesQuery(connection.id, filterOf(state)))
  const restore = useRestore(connection.id, state.back)
  const changes = query.data?.pages.flatMap(({ items }) => items) ?? []
  const { selected, linked } = useSelected(connection.id, state.change, query.isSuccess ? changes : undefined)
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
          <HistoryFilters
            state={state}
            actors={query.data?.pages[0]?.actors ?? []}
            recordName={changes[0]?.name}
            // The selected change may not fit the new filters.
            onChange={(patch) => setUrl({ ...patch, change: undefined })}
          />
          {state.view === 'deleted' ? (
            <DeletedList onRestore={(record) => restore.ask(restoreActionFor(record))} />
          ) : (
            <Changes
              query={query}
              changes={changes}
              selected={selected?.id}
              state={state}
              onSelect={({ id }) => setUrl({ change: id })}
            />
          )}
        </Panel>
        <div className={css.historySide}>
          {state.run !== undefined && <RunPanel runId={state.run} onUndo={(run) => setUrl({ run })} />}
          {state.view === 'changes' && <SelectedChange selected={selected} linked={linked} onRestore={restore.ask} />}
        </div>
      </div>
      {state.at !== undefined && (
        <RestoreBar
          at={state.at}
          onReview={(at) => restore.ask({ title: `Restore to ${formatMoment(at)}`, input: { time: at } })}
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
      {restore.asked && (
        <RestoreDialog
          {...restore.asked}
          onStarted={(run) => {
            restore.ask(null)
            setUrl({ run, at: undefined, back: undefined })
          }}
          onClose={() => {
            restore.ask(null)
            if (state.back !== undefined) setUrl({ back: undefined })
          }}
        />
      )}
    </Page>
  )
}

/**
 * The change of the address, which may be on a page of the list that is not loaded, or outside of its filters; otherwise the newest.
 * @param changes those of the list; undefined until they are read
 */
function useSelected(connectionId: string, id: number | undefined, changes: readonly Change[] | undefined) {
  const listed = id === undefined ? changes?.[0] : changes?.find((change) => change.id === id)
  const isElsewhere = id !== undefined && changes !== undefined && !listed
  // Without a change elsewhere, this is a query that is never sent: its data belongs to no change.
  const linked = useQuery({ ...changeQuery(connectionId, isElsewhere ? id : 0), enabled: isElsewhere })
  return { selected: listed ?? linked.data ?? undefined, linked }
}

/** The actions that open the dialogs for files, also in the palette. */
function useFileActions(setUrl: (patch: { files: 'export' | 'import' }) => void) {
  const actions = useMemo(
    () => [
      { label: 'Export records…', icon: Download, run: () => setUrl({ files: 'export' }) },
      { label: 'Import records…', icon: Upload, run: () => setUrl({ files: 'import' }) },
    ],
    [setUrl],
  )
  usePageActions(actions)
  return actions
}

/** The action that restores a deleted record; null for kinds that cannot be created again. */
function restoreActionFor({ kind, id, name, at }: DeletedRecord): Restoring | null {
  if (!isWritable(kind)) return null
  const time = new Date(Date.parse(at) - 1).toISOString()
  return { title: `Bring back ${name}`, input: { time, records: [{ kind, id }] } }
}

/**
 * The restore that is asked about.
 * @param back the deleted record that the address asks to bring back, as in `alerts/1`
 */
function useRestore(connectionId: string, back: string | undefined) {
  const [asked, ask] = useState<Restoring | null>(null)
  const deleted = useQuery({ ...deletedQuery(connectionId), enabled: back !== undefined })
  const record = deleted.data?.find(({ kind, id }) => `${kind}/${id}` === back)
  return { asked: asked ?? (record ? restoreActionFor(record) : null), ask }
}

interface ChangesProps extends Pick<ComponentProps<typeof ChangeList>, 'query' | 'changes' | 'selected' | 'onSelect'> {
  state: HistoryState
}

function Changes({ query, changes, selected, state, onSelect }: ChangesProps) {
  return (
    <>
      {query.error && <QueryError error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <LoadingPanels heights={[300]} />}
      {query.data && changes.length === 0 && <NoChanges state={state} />}
      {changes.length > 0 && (
        <ChangeList query={query} changes={changes} selected={selected} onSelect={onSelect} at={state.at} />
      )}
    </>
  )
}

interface SelectedChangeProps extends ReturnType<typeof useSelected> {
  onRestore: (restoring: Restoring) => void
}

/** The details of a change, whose versions can be restored, or why the change of a link is not there. */
function SelectedChange({ selected, linked, onRestore }: SelectedChangeProps) {
  if (linked.error) return <QueryError error={linked.error} onRetry={() => void linked.refetch()} />
  if (linked.data === null) {
    return (
      <EmptyState title="No such change">
        The history of this connection does not have the change of this link. Old changes are removed with their
        versions.
      </EmptyState>
    )
  }
  if (!selected) return null
  const { kind, recordId, name } = selected
  const restoreVersion = ({ version, number }: RecordVersion) => {
    if (!recordId || !isWritable(kind)) return
    onRestore({
      title: `Restore version ${number} of ${name}`,
      input: { versions: [{ kind, id: recordId, version }] },
    })
  }
  return <ChangeDetail key={selected.id} change={selected} onRestore={isWritable(kind) ? restoreVersion : undefined} />
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
