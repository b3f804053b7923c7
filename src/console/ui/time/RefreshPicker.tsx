import IconButton from '@mui/material/IconButton'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { TimerReset } from 'lucide-react'
import { useState } from 'react'
import { type Refresh, refreshChoices, refreshLabels } from './refresh.ts'

interface RefreshPickerProps {
  refresh: Refresh
  onChange: (refresh: Refresh) => void
}

/** Choice of the automatic refresh interval. */
export function RefreshPicker({ refresh, onChange }: RefreshPickerProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const label = `Auto refresh: ${refreshLabels[refresh].toLowerCase()}`
  return (
    <>
      <Tooltip title={label}>
        <IconButton
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={{
            border: 1,
            borderColor: 'tone.edge',
            bgcolor: 'tone.raised',
            ...(refresh !== 'off' && { color: 'primary.main' }),
          }}
        >
          <TimerReset size={15} aria-hidden />
        </IconButton>
      </Tooltip>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {refreshChoices.map((choice) => (
          <MenuItem
            key={choice}
            selected={choice === refresh}
            onClick={() => {
              setAnchor(null)
              onChange(choice)
            }}
          >
            <ListItemText>{refreshLabels[choice]}</ListItemText>
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
