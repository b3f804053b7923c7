import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import * as step from '../model/editing.ts'
import { SaveDialog } from '../save/SaveDialog.tsx'
import type { DashboardData } from '../view/useDashboardData.ts'
import { MoveTileDialog } from './MoveTileDialog.tsx'
import type { NewTile } from './newTile.ts'
import { SettingsDrawer } from './SettingsDrawer.tsx'
import { type EditedTile, TileEditor } from './TileEditor.tsx'
import type { Draft } from './useDraft.ts'

/** The drawer or dialog over the board. */
export type OpenOverlay =
  | { what: 'add'; tile: NewTile; home: step.TileLocation }
  | { what: 'tile'; id: string; tile: EditedTile }
  | { what: 'move'; id: string }
  | { what: 'settings' }
  | { what: 'save'; direct: boolean }

/** The editor of a tile of a dashboard; null if the dashboard has no such tile. */
export function editorOfTile({ tiles }: Dashboard, id: string | undefined): OpenOverlay | null {
  const tile = tiles.find((candidate) => id !== undefined && candidate.id === id)
  return tile ? { what: 'tile', id: tile.id ?? '', tile } : null
}

interface EditOverlayProps {
  open: OpenOverlay
  draft: Draft
  loaded: DashboardData
  onClose: () => void
  /** The draft was saved. `after` is the dashboard as it is stored now. */
  onSaved: (after: Dashboard) => void
}

/** Edits a tile, its place or the settings in the draft, or saves the draft. */
export function EditOverlay({ open, draft, loaded, onClose, onSaved }: EditOverlayProps) {
  const { base, dashboard } = draft
  const read = { data: loaded.data, sources: loaded.from.sources }
  const apply = (change: (before: Dashboard) => Dashboard) => {
    draft.edit(change)
    onClose()
  }
  switch (open.what) {
    case 'add':
      return (
        <TileEditor
          key="add"
          {...read}
          tile={open.tile}
          action="Add tile"
          onClose={onClose}
          onApply={(tile) => apply((before) => step.addTile(before, { ...open.tile, ...tile }, open.home))}
        />
      )
    case 'tile':
      return (
        <TileEditor
          key="tile"
          {...read}
          tile={open.tile}
          action="Apply"
          onClose={onClose}
          onApply={(tile) => apply((before) => step.updateTile(before, open.id, (stored) => ({ ...stored, ...tile })))}
        />
      )
    case 'move':
      return <MoveTileDialog dashboard={dashboard} tileId={open.id} edit={draft.edit} onClose={onClose} />
    case 'settings':
      return <SettingsDrawer {...read} dashboard={dashboard} onClose={onClose} onApply={(next) => apply(() => next)} />
    case 'save':
      return <SaveDialog base={base} draft={dashboard} direct={open.direct} onClose={onClose} onSaved={onSaved} />
  }
}
