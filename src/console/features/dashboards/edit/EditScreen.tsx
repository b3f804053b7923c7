import { Group, LayoutDashboard, Settings2 } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { loadEditor } from '#console/ui/code/CodeField.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { UnsavedGuard } from '#console/ui/form/UnsavedGuard.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import * as step from '../model/editing.ts'
import { useDashboardData } from '../view/useDashboardData.ts'
import type { ScreenProps } from '../view/viewState.ts'
import { ViewToolbar } from '../view/ViewToolbar.tsx'
import { AddTileButton } from './AddTileButton.tsx'
import { DraftBar } from './DraftBar.tsx'
import { EditBoard, useTileSelection, type TileSelection } from './EditBoard.tsx'
import { EditOverlay, editorOfTile, type OpenOverlay } from './EditOverlay.tsx'
import { newTile, sourceFor } from './newTile.ts'
import { useDraft, useEditKeys } from './useDraft.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from '../dashboards.module.css'

/** A dashboard to change: a draft until it is saved. */
export function EditScreen({ dashboard: read, state, onState }: ScreenProps) {
  const connection = useConnection()
  const draft = useDraft(connection.id, read)
  const { dashboard, edit, restart } = draft
  // Saved without a review: undo takes a save back.
  const isLocal = connection.stage === 'local'
  const loaded = useDashboardData(connection, dashboard, state, read)
  const [open, setOpen] = useState<OpenOverlay | null>(() => editorOfTile(dashboard, state.tile))
  const selection = useTileSelection(draft)

  useEffect(() => void loadEditor(), [])
  useEffect(() => {
    // It is open already. Reloaded later, the page opens without it.
    if (state.tile !== undefined) onState({ tile: undefined })
  }, [state.tile, onState])
  useEditKeys({
    undo: draft.undo,
    redo: draft.redo,
    save: draft.dirty ? () => setOpen({ what: 'save', direct: isLocal }) : null,
  })

  const leave = useCallback(() => onState({ edit: undefined, tile: undefined }), [onState])
  const saved = useCallback(
    (after: Dashboard) => {
      restart(after)
      setOpen(null)
      leave()
    },
    [restart, leave],
  )
  const add = (kind: string, home: step.TileLocation = {}) =>
    setOpen({ what: 'add', tile: newTile(kind, sourceFor(kind, loaded.from.sources)), home })
  const addGroup = (tabs: number) => edit((before) => step.addGroup(before, 'New section', tabs))

  return (
    <Page
      title={dashboard.name || 'Untitled dashboard'}
      lead="Drag tiles by their handle, or focus the handle and use the arrow keys. Changes take effect when you save."
      actions={
        <>
          <GroupButton selection={selection} />
          <Button startIcon={<Settings2 size={14} aria-hidden />} onClick={() => setOpen({ what: 'settings' })}>
            Settings
          </Button>
          <AddTileButton onAdd={add} onAddGroup={addGroup} />
        </>
      }
    >
      {!draft.persisted && <UnsavedGuard dirty={draft.dirty} />}
      <ViewToolbar dashboard={dashboard} state={state} onState={onState} loaded={loaded} />
      {dashboard.tiles.length === 0 && (dashboard.containers ?? []).length === 0 && (
        <EmptyState
          icon={LayoutDashboard}
          title="No tiles yet"
          action={<AddTileButton onAdd={add} onAddGroup={addGroup} />}
        >
          Add a tile and preview it with live data while you configure it.
        </EmptyState>
      )}
      <EditBoard
        draft={draft}
        data={loaded.data}
        selection={selection}
        state={state}
        onState={onState}
        onAdd={add}
        onOpen={setOpen}
      />
      <div className={css.editBottomSpace} />
      <DraftBar
        draft={draft}
        onReview={() => setOpen({ what: 'save', direct: false })}
        {...(isLocal && { onSave: () => setOpen({ what: 'save', direct: true }) })}
        onLeave={leave}
      />
      {open && <EditOverlay open={open} draft={draft} loaded={loaded} onClose={() => setOpen(null)} onSaved={saved} />}
    </Page>
  )
}

function GroupButton({ selection: { ids, group } }: { selection: TileSelection }) {
  const isEmpty = ids.length === 0
  return (
    <DisabledReason reason={isEmpty ? 'Select tiles first: press Space on a handle, or Ctrl-click it.' : undefined}>
      <Button startIcon={<Group size={14} aria-hidden />} disabled={isEmpty} onClick={group}>
        Group into section
      </Button>
    </DisabledReason>
  )
}
