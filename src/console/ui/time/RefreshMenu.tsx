import MenuItem from '@mui/material/MenuItem'
import { Menu } from '../mui/Menu.tsx'
import { type Refresh, refreshChoices, refreshLabels } from './refresh.ts'

interface RefreshMenuProps {
  anchor: HTMLElement
  refresh: Refresh
  onChange: (refresh: Refresh) => void
  onClose: () => void
}

/** The intervals of the automatic refresh. */
export function RefreshMenu({ anchor, refresh, onChange, onClose }: RefreshMenuProps) {
  return (
    <Menu open anchorEl={anchor} onClose={onClose}>
      {refreshChoices.map((choice) => (
        <MenuItem
          key={choice}
          selected={choice === refresh}
          onClick={() => {
            onClose()
            onChange(choice)
          }}
        >
          {refreshLabels[choice]}
        </MenuItem>
      ))}
    </Menu>
  )
}
