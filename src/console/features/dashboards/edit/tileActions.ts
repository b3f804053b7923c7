import { Braces, Copy, Move, Pencil, Trash2 } from 'lucide-react'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { configText } from './configJson.ts'

interface Runs {
  edit: () => void
  move: () => void
  duplicate: () => void
  remove: () => void
}

/** The actions of a tile in a draft. */
export function tileActions(tile: Tile, runs: Runs): Action[] {
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
