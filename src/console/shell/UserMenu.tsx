import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useColorScheme } from '@mui/material/styles'
import Tooltip from '@mui/material/Tooltip'
import { useNavigate } from '@tanstack/react-router'
import { CircleQuestionMark, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { signOut } from '#console/api/session.ts'
import { paths } from '#console/paths.ts'
import { openOverlay } from './overlay.ts'
import { toastFailure } from './toastFailure.ts'

export const themeModes = [
  { mode: 'light', label: 'Light', Icon: Sun },
  { mode: 'dark', label: 'Dark', Icon: Moon },
  { mode: 'system', label: 'As the system', Icon: Monitor },
] as const

/** Theme, help, sign-out. */
export function UserMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { mode, setMode } = useColorScheme()
  const leave = useSignOut()
  const close = () => setAnchor(null)
  const Current = themeModes.find((one) => one.mode === mode)?.Icon ?? Monitor
  return (
    <>
      <Tooltip title="Theme and session">
        <IconButton
          aria-label="Theme and session"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Current size={16} aria-hidden />
        </IconButton>
      </Tooltip>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        <ListSubheader role="presentation">Theme</ListSubheader>
        {themeModes.map(({ mode: one, label, Icon }) => (
          <MenuItem
            key={one}
            role="menuitemradio"
            aria-checked={mode === one}
            selected={mode === one}
            onClick={() => {
              close()
              setMode(one)
            }}
          >
            <Icon size={14} aria-hidden />
            {label}
          </MenuItem>
        ))}
        <Divider sx={{ my: 1 }} />
        <MenuItem
          onClick={() => {
            close()
            openOverlay('help')
          }}
        >
          <CircleQuestionMark size={14} aria-hidden />
          Help and shortcuts
        </MenuItem>
        <MenuItem
          onClick={() => {
            close()
            void leave()
          }}
        >
          <LogOut size={14} aria-hidden />
          Sign out
        </MenuItem>
      </Menu>
    </>
  )
}

/** Ends the session and goes to the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    try {
      await signOut()
      await navigate({ to: paths.signIn() })
    } catch (error) {
      toastFailure(error)
    }
  }
}
