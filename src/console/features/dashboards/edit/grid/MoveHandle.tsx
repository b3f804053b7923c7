import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from '../../dashboards.module.css'
import { hint } from '#console/ui/hint/hint.ts'
import { GripVertical } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { clampPosition, type GridPosition } from '#domain/dashboards/gridPositions.ts'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import { tileName } from '../../model/diff.ts'
import { minHeight, minWidth } from '../../model/layout.ts'
import { handleClass } from './EditGrid.tsx'

interface MoveHandleProps {
  tile: Tile
  selected: boolean
  onToggle: (id: string) => void
  onPlace: (place: Partial<GridPosition>) => void
  onDelete: () => void
  onEdit: () => void
}

/** Drags a tile. With the keyboard: arrows move, Shift and arrows resize, Space selects, Enter edits, Delete removes. */
export function MoveHandle({ tile, selected, onToggle, onPlace, onDelete, onEdit }: MoveHandleProps) {
  const name = tileName(tile)
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const place = placeFor(event, clampPosition(tile))
    if (place) onPlace(place)
    else if (event.key === ' ') onToggle(tile.id ?? '')
    else if (event.key === 'Enter') onEdit()
    else if (event.key === 'Delete' || event.key === 'Backspace') onDelete()
    else return
    event.preventDefault()
  }
  return (
    <IconButton
      {...hint('Drag, or use the arrow keys; Shift and arrows resize, Space selects')}
      className={`${handleClass} ${css.handle}`}
      aria-label={`Move ${name}`}
      aria-pressed={selected}
      onKeyDown={press}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) onToggle(tile.id ?? '')
      }}
      size="small"
    >
      <GripVertical size={14} aria-hidden />
    </IconButton>
  )
}

/** Where an arrow key puts the tile; null for other keys. */
function placeFor({ key, shiftKey }: KeyboardEvent, { x, y, w, h }: GridPosition): Partial<GridPosition> | null {
  const step = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight'
  if (!sideways && key !== 'ArrowUp' && key !== 'ArrowDown') return null
  if (shiftKey) return sideways ? { w: Math.max(minWidth, w + step) } : { h: Math.max(minHeight, h + step) }
  return sideways ? { x: x + step } : { y: Math.max(0, y + step) }
}
