import ListSubheader from '@mui/material/ListSubheader'
import { Menu } from '#console/ui/mui/Menu.tsx'
import MenuItem from '@mui/material/MenuItem'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleQuestionMark, LogOut, MonitorSmartphone, UserRound } from 'lucide-react'
import { sessionQuery } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { setThemeMode, useThemeMode } from '#console/ui/theme/themeMode.ts'
import { MenuDivider } from '#console/ui/actions/MenuDivider.tsx'
import { openOverlay } from '#console/shell/overlay.ts'
import { themeModes } from '#console/shell/themeModes.ts'
import { useSignOut } from '#console/shell/session/useSignOut.ts'

/** Theme, help, account, sessions, sign-out. */
export function SettingsMenu({ anchor, close }: { anchor: HTMLElement; close: () => void }) {
  const mode = useThemeMode()
  const leave = useSignOut()
  const { data: session } = useQuery(sessionQuery)
  const navigate = useNavigate()
  return (
    <Menu open anchorEl={anchor} onClose={close}>
      <ListSubheader role="presentation">Theme</ListSubheader>
      {themeModes.map(({ mode: offered, label, Icon }) => (
        <MenuItem
          key={offered}
          role="menuitemradio"
          aria-checked={mode === offered}
          selected={mode === offered}
          onClick={() => {
            close()
            setThemeMode(offered)
          }}
        >
          <Icon size={14} aria-hidden />
          {label}
        </MenuItem>
      ))}
      <MenuDivider />
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
          void navigate({ to: paths.account() })
        }}
      >
        <UserRound size={14} aria-hidden />
        My account
      </MenuItem>
      <MenuItem
        onClick={() => {
          close()
          void navigate({ to: paths.sessions() })
        }}
      >
        <MonitorSmartphone size={14} aria-hidden />
        Sessions
      </MenuItem>
      {/* Signing out is up to a proxy that signs in. */}
      {!session?.byProxy && (
        <MenuItem
          onClick={() => {
            close()
            void leave()
          }}
        >
          <LogOut size={14} aria-hidden />
          Sign out
        </MenuItem>
      )}
    </Menu>
  )
}
