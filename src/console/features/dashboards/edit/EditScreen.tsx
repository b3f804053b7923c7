import { Braces, Copy, Group, LayoutDashboard, Move, Pencil, Settings2, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { copyText } from '#console/shell/messages/copyText.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { loadEditor } from '#console/ui/code/CodeField.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { UnsavedGuard } from '#console/ui/form/UnsavedGuard.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { absoluteRange } from '#console/ui/time/range.ts'
import type { Span } from '#domain/time/span.ts'
import * as step from '../model/editing.ts'
import { SaveDialog } from '../save/SaveDialog.tsx'
import { Board } from '../view/Board.tsx'
import { TileCard } from '../view/TileCard.tsx'
import { useDashboardAlerts } from '../view/useDashboardAlerts.ts'
import { useDashboardData } from '../view/useDashboardData.ts'
import type { ScreenProps } from '../view/viewState.ts'
import { ViewToolbar } from '../view/ViewToolbar.tsx'
import { AddTileButton } from './AddTileButton.tsx'
import { DraftBar } from './DraftBar.tsx'
import { EditGrid, type Places } from './grid/EditGrid.tsx'
import { MoveHandle } from './grid/MoveHandle.tsx'
import { MoveTileDialog } from './MoveTileDialog.tsx'
import { type NewTile, newTile, sourceFor } from './newTile.ts'
import { SectionActions } from './SectionActions.tsx'
import { SettingsDrawer } from './SettingsDrawer.tsx'
import { type EditedTile, TileEditor } from './TileEditor.tsx'
import { configText } from './configJson.ts'
import { useDraft } from './useDraft.ts'
import { useEditKeys } from './useEditKeys.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from '../dashboards.module.css'

/** The panel over the board. */
type Open =
  | { what: 'add'; tile: NewTile; home: step.TileLocation }
  | { what: 'tile'; id: string; tile: EditedTile }
  | { what: 'move'; id: string }
  | { what: 'settings' }
  | { what: 'save'; direct: boolean }

/** A dashboard to change: a draft until it is saved. */
export function EditScreen({ dashboard: read, state, onState }: ScreenProps) {
  const connection = useConnection()
  const draft = useDraft(connection.id, read)
  const { dashboard, edit } = draft
  // Undo takes a save back.
  const isLocal = connection.stage === 'local'
  const loaded = useDashboardData(connection, dashboard, state, read)
  const alerts = useDashboardAlerts(connection.id, read.id)
  const [open, setOpen] = useState<Open | null>(() => tileToOpen(dashboard, state.tile))
  const [selected, setSelected] = useState<readonly string[]>([])

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
  const zoom = useCallback((span: Span) => onState({ ...absoluteRange(span) }, { push: true }), [onState])
  const places = useCallback(
    (moved: Places) =>
      edit((before) => {
        const byId = new Map(moved.map((place) => [place.id, place]))
        return step.withTiles(
          before,
          before.tiles.map((tile) => movedTile(tile, byId.get(tile.id ?? ''))),
        )
      }),
    [edit],
  )
  const toggle = useCallback(
    (id: string) => setSelected((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id])),
    [],
  )
  const actionsOf = useTileActions(dashboard, edit, setOpen)
  const chosen = selected.filter((id) => dashboard.tiles.some((tile) => tile.id === id))
  const group = () => {
    edit((before) => step.groupTiles(before, chosen, 'New section'))
    setSelected([])
  }
  const add = (kind: string, home: step.TileLocation = {}) =>
    setOpen({ what: 'add', tile: newTile(kind, sourceFor(kind, loaded.from.sources)), home })
  const addGroup = (tabs: number) => edit((before) => step.addGroup(before, 'New section', tabs))

  const saved = useCallback(
    (after: Dashboard) => {
      draft.restart(after)
      setOpen(null)
      leave()
    },
    [draft, leave],
  )

  return (
    <Page
      title={dashboard.name || 'Untitled dashboard'}
      lead="Drag tiles by their handle, or focus the handle and use the arrow keys. Changes take effect when you save."
      actions={
        <>
          <DisabledReason
            reason={chosen.length === 0 ? 'Select tiles first: press Space on a handle, or Ctrl-click it.' : undefined}
          >
            <Button startIcon={<Group size={14} aria-hidden />} disabled={chosen.length === 0} onClick={group}>
              {' '}
              Group into section
            </Button>
          </DisabledReason>
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
      <Board
        dashboard={dashboard}
        state={state}
        onState={onState}
        renderGrid={(tiles) => (
          <EditGrid
            tiles={tiles}
            onPlaces={places}
            renderTile={(tile) => (
              <TileCard
                tile={tile}
                data={loaded.data}
                alerts={alerts.ofTile(tile.id)}
                syncId={dashboard.id}
                onZoom={zoom}
                selected={chosen.includes(tile.id ?? '')}
                actions={actionsOf(tile)}
                handle={
                  <MoveHandle
                    tile={tile}
                    selected={chosen.includes(tile.id ?? '')}
                    onToggle={toggle}
                    onPlace={(place) =>
                      edit((before) => step.moveTile(before, tile.id ?? '', place), `place ${tile.id}`)
                    }
                    onDelete={() => edit((before) => step.removeTiles(before, [tile.id ?? '']))}
                    onEdit={() => setOpen({ what: 'tile', id: tile.id ?? '', tile })}
                  />
                }
              />
            )}
          />
        )}
        renderActions={(section, tabId) => <SectionActions section={section} tabId={tabId} edit={edit} onAdd={add} />}
      />
      <div className={css.editBottomSpace} />
      <DraftBar
        draft={draft}
        onReview={() => setOpen({ what: 'save', direct: false })}
        {...(isLocal && { onSave: () => setOpen({ what: 'save', direct: true }) })}
        onLeave={leave}
      />
      {open?.what === 'add' && (
        <TileEditor
          tile={open.tile}
          action="Add tile"
          data={loaded.data}
          sources={loaded.from.sources}
          onClose={() => setOpen(null)}
          onApply={(tile) => {
            edit((before) => step.addTile(before, { ...open.tile, ...tile }, open.home))
            setOpen(null)
          }}
        />
      )}
      {open?.what === 'tile' && (
        <TileEditor
          tile={open.tile}
          action="Apply"
          data={loaded.data}
          sources={loaded.from.sources}
          onClose={() => setOpen(null)}
          onApply={(tile) => {
            edit((before) => step.updateTile(before, open.id, (stored) => ({ ...stored, ...tile })))
            setOpen(null)
          }}
        />
      )}
      {open?.what === 'move' && (
        <MoveTileDialog dashboard={dashboard} tileId={open.id} edit={edit} onClose={() => setOpen(null)} />
      )}
      {open?.what === 'settings' && (
        <SettingsDrawer
          dashboard={dashboard}
          data={loaded.data}
          sources={loaded.from.sources}
          onClose={() => setOpen(null)}
          onApply={(next) => {
            edit(() => next)
            setOpen(null)
          }}
        />
      )}
      {open?.what === 'save' && (
        <SaveDialog
          base={draft.base}
          draft={dashboard}
          direct={open.direct}
          onClose={() => setOpen(null)}
          onSaved={saved}
        />
      )}
    </Page>
  )
}

/** The editor of the tile that the address names. */
function tileToOpen({ tiles }: Dashboard, id: string | undefined): Open | null {
  const tile = tiles.find((candidate) => id !== undefined && candidate.id === id)
  return tile ? { what: 'tile', id: tile.id ?? '', tile } : null
}

/** A tile at a new position; the same object if the position is unchanged. */
function movedTile(tile: Tile, place: Places[number] | undefined): Tile {
  if (!place) return tile
  const { x, y, w, h } = place
  return tile.x === x && tile.y === y && tile.w === w && tile.h === h ? tile : { ...tile, x, y, w, h }
}

function useTileActions(
  dashboard: Dashboard,
  edit: (change: (before: Dashboard) => Dashboard) => void,
  setOpen: (open: Open) => void,
) {
  const { tiles } = dashboard
  // The menu of a tile is rebuilt only when tiles change, so that cards do not render again.
  const byId = useMemo(() => {
    const menus = new Map<string, () => Action[]>()
    for (const tile of tiles) {
      const { id } = tile
      if (!id) continue
      menus.set(id, () =>
        tileActions(tile, {
          edit: () => setOpen({ what: 'tile', id, tile }),
          move: () => setOpen({ what: 'move', id }),
          duplicate: () => edit((before) => step.duplicateTile(before, id)),
          remove: () => edit((before) => step.removeTiles(before, [id])),
        }),
      )
    }
    return menus
  }, [tiles, edit, setOpen])
  return (tile: Tile) => byId.get(tile.id ?? '')
}

interface Runs {
  edit: () => void
  move: () => void
  duplicate: () => void
  remove: () => void
}

/** The actions of a tile in a draft. */
function tileActions(tile: Tile, runs: Runs): Action[] {
  return [
    { label: 'Edit', icon: Pencil, run: runs.edit },
    { label: 'Move…', icon: Move, run: runs.move },
    { label: 'Duplicate', icon: Copy, run: runs.duplicate },
    {
      label: 'Copy as JSON',
      icon: Braces,
      run: () => void copyText(configText(tile.config), 'Tile'),
    },
    { label: 'Remove', icon: Trash2, run: runs.remove, danger: true },
  ]
}
