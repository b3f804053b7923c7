import { Braces, Copy, Move, Pencil, Trash2 } from 'lucide-react'
import { memo, useCallback, useState } from 'react'
import type { Alert } from '#contract/stack/alerts.ts'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { copyText } from '#console/shell/messages/copyText.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import type { Span } from '#domain/time/span.ts'
import type { TileData } from '../model/dataScope.ts'
import * as step from '../model/editing.ts'
import { Board } from '../view/Board.tsx'
import { TileCard } from '../view/TileCard.tsx'
import { useDashboardAlerts } from '../view/useDashboardAlerts.ts'
import type { ScreenProps } from '../view/viewState.ts'
import { configText } from './configJson.ts'
import type { OpenOverlay } from './EditOverlay.tsx'
import { EditGrid, type Places } from './grid/EditGrid.tsx'
import { MoveHandle } from './grid/MoveHandle.tsx'
import { SectionActions } from './SectionActions.tsx'
import type { Draft } from './useDraft.ts'

export interface TileSelection {
  /** The IDs of the selected tiles. */
  ids: readonly string[]
  toggle: (id: string) => void
  /** Puts the selected tiles into a new section. */
  group: () => void
}

export function useTileSelection({ dashboard, edit }: Draft): TileSelection {
  const [selected, setSelected] = useState<readonly string[]>([])
  const ids = selected.filter((id) => dashboard.tiles.some((tile) => tile.id === id))
  const toggle = useCallback(
    (id: string) =>
      setSelected((before) => (before.includes(id) ? before.filter((other) => other !== id) : [...before, id])),
    [],
  )
  const group = () => {
    edit((before) => step.groupTiles(before, ids, 'New section'))
    setSelected([])
  }
  return { ids, toggle, group }
}

interface EditBoardProps extends Pick<ScreenProps, 'state' | 'onState'> {
  draft: Draft
  data: TileData
  selection: TileSelection
  /** Adds a tile of a kind to a section. */
  onAdd: (kind: string, home: step.TileLocation) => void
  onOpen: (overlay: OpenOverlay) => void
}

/** The tiles of a draft, section by section: they can be dragged, resized, selected, edited and removed. */
export function EditBoard({ draft, data, selection, state, onState, onAdd, onOpen }: EditBoardProps) {
  const { dashboard, edit } = draft
  const connection = useConnection()
  const alerts = useDashboardAlerts(connection.id, dashboard.id)
  const zoom = useCallback((span: Span) => onState({ ...absoluteRange(span) }, { push: true }), [onState])
  const moveTiles = useCallback(
    (places: Places) =>
      edit((before) => {
        const byId = new Map(places.map((place) => [place.id, place]))
        return step.withTiles(
          before,
          before.tiles.map((tile) => movedTile(tile, byId.get(tile.id ?? ''))),
        )
      }),
    [edit],
  )
  return (
    <Board
      dashboard={dashboard}
      state={state}
      onState={onState}
      renderGrid={(tiles) => (
        <EditGrid
          tiles={tiles}
          onPlaces={moveTiles}
          renderTile={(tile) => (
            <DraftTile
              tile={tile}
              data={data}
              alerts={alerts.ofTile(tile.id)}
              syncId={dashboard.id}
              onZoom={zoom}
              selected={selection.ids.includes(tile.id ?? '')}
              onToggle={selection.toggle}
              edit={edit}
              onOpen={onOpen}
            />
          )}
        />
      )}
      renderActions={(section, tabId) => <SectionActions section={section} tabId={tabId} edit={edit} onAdd={onAdd} />}
    />
  )
}

/** A tile at a new position; the same object if the position is unchanged. */
function movedTile(tile: Tile, place: Places[number] | undefined): Tile {
  if (!place) return tile
  const { x, y, w, h } = place
  return tile.x === x && tile.y === y && tile.w === w && tile.h === h ? tile : { ...tile, x, y, w, h }
}

interface DraftTileProps {
  tile: Tile
  data: TileData
  alerts: readonly Alert[]
  syncId: string
  onZoom: (span: Span) => void
  selected: boolean
  onToggle: (id: string) => void
  edit: Draft['edit']
  onOpen: (overlay: OpenOverlay) => void
}

/** A tile with its handle and its menu. Changes of other tiles do not draw it again. */
const DraftTile = memo(function DraftTile({ tile, selected, onToggle, edit, onOpen, ...card }: DraftTileProps) {
  const id = tile.id ?? ''
  const openEditor = () => onOpen({ what: 'tile', id, tile })
  const remove = () => edit((before) => step.removeTiles(before, [id]))
  const actions = (): Action[] => [
    { label: 'Edit', icon: Pencil, run: openEditor },
    { label: 'Move…', icon: Move, run: () => onOpen({ what: 'move', id }) },
    { label: 'Duplicate', icon: Copy, run: () => edit((before) => step.duplicateTile(before, id)) },
    { label: 'Copy as JSON', icon: Braces, run: () => void copyText(configText(tile.config), 'Tile') },
    { label: 'Remove', icon: Trash2, run: remove, danger: true },
  ]
  return (
    <TileCard
      {...card}
      tile={tile}
      selected={selected}
      actions={id ? actions : undefined}
      handle={
        <MoveHandle
          tile={tile}
          selected={selected}
          onToggle={onToggle}
          onPlace={(place) => edit((before) => step.moveTile(before, id, place), `place ${tile.id}`)}
          onDelete={remove}
          onEdit={openEditor}
        />
      }
    />
  )
})
