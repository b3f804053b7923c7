import MenuItem from '@mui/material/MenuItem'
import { Menu } from '#console/ui/mui/Menu.tsx'
import type { Direction } from '../row/columnLayout.ts'

export interface ColumnChoices {
  onSort: (direction: Direction) => void
  /** Undefined for the time, which is always first. */
  onMove?: ((by: number) => void) | undefined
  onRemove?: (() => void) | undefined
}

interface ColumnMenuProps extends ColumnChoices {
  anchor: HTMLElement
  direction: Direction | null
  onClose: () => void
}

/** Sorts, moves and removes a column. */
export function ColumnMenu({ anchor, direction, onSort, onMove, onRemove, onClose }: ColumnMenuProps) {
  const [down, up] = onMove ? ['Sort descending', 'Sort ascending'] : ['Newest first', 'Oldest first']
  const run = (action: () => void) => () => {
    onClose()
    action()
  }
  return (
    <Menu open anchorEl={anchor} onClose={onClose}>
      <MenuItem selected={direction === 'descending'} onClick={run(() => onSort('descending'))}>
        {down}
      </MenuItem>
      <MenuItem selected={direction === 'ascending'} onClick={run(() => onSort('ascending'))}>
        {up}
      </MenuItem>
      {onMove && <MenuItem onClick={run(() => onMove(-1))}>Move left</MenuItem>}
      {onMove && <MenuItem onClick={run(() => onMove(1))}>Move right</MenuItem>}
      {onRemove && <MenuItem onClick={run(onRemove)}>Remove column</MenuItem>}
    </Menu>
  )
}
