import Box from '@mui/material/Box'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { ConfirmHost } from './ConfirmHost.tsx'
import { useFrameConnection } from '../connection.tsx'
import { FrameBars } from './FrameBars.tsx'
import { FrameNotices } from './FrameNotices.tsx'
import { Hints } from '#console/ui/hint/Hints.tsx'
import { Navigation } from './Navigation.tsx'
import { Overlays } from './Overlays.tsx'
import { useBrowserSetting } from '../browserSettings.ts'
import { Toasts } from '../messages/toasts.tsx'
import { TopBar } from './TopBar.tsx'
import { usePageChange } from './usePageChange.ts'
import { useShortcuts } from './useShortcuts.ts'

const FiringAlertsPoll = lazyComponent(async () => (await import('./FiringAlertsPoll.tsx')).FiringAlertsPoll)
const NavigationDrawer = lazyComponent(async () => (await import('./NavigationDrawer.tsx')).NavigationDrawer)

/** The frame around every page: colour of the connection, top bar, navigation, notices, page. */
export function Frame() {
  const { connection, inAddress } = useFrameConnection()
  const phone = useMediaQuery('(max-width: 760px)')
  const narrow = useMediaQuery('(max-width: 1100px)')
  const collapsed = useBrowserSetting('navFolded') || narrow
  const [open, setOpen] = useState(false)
  const { announcement, mainRef } = usePageChange(() => setOpen(false))
  useShortcuts()

  return (
    <Box
      sx={{
        display: 'grid',
        height: '100dvh',
        gridTemplate: phone
          ? '44px auto minmax(0, 1fr) / minmax(0, 1fr)'
          : `44px auto minmax(0, 1fr) / ${collapsed ? 52 : 212}px minmax(0, 1fr)`,
        borderTop: 3,
        borderColor: `tone.stage.${(inAddress && connection?.stage) || 'none'}`,
      }}
    >
      <SkipLink />
      <TopBar onMenu={phone ? () => setOpen(true) : undefined} />
      <FrameBars />
      {phone ? (
        open && <NavigationDrawer close={() => setOpen(false)} />
      ) : (
        <Navigation collapsed={collapsed} collapsible={!narrow} />
      )}
      <Box
        component="main"
        id="main"
        ref={mainRef}
        tabIndex={-1}
        sx={{
          display: 'flex',
          flexDirection: 'column',
          minWidth: 0,
          overflow: 'auto',
          outline: 'none',
          // What is placed inside scrolls with it, instead of making the whole window scroll.
          position: 'relative',
        }}
      >
        <FrameNotices />
        <Outlet />
      </Box>
      <VisuallyHidden live="polite">{announcement}</VisuallyHidden>
      {connection && inAddress && <FiringAlertsPoll key={connection.id} connection={connection} />}
      <ConfirmHost />
      <Toasts />
      <Overlays />
      <Hints />
    </Box>
  )
}

function SkipLink() {
  return (
    <Box
      component="a"
      href="#main"
      onClick={(event) => {
        event.preventDefault()
        document.getElementById('main')?.focus()
      }}
      sx={{
        position: 'fixed',
        top: -60,
        left: 8,
        zIndex: 'tooltip',
        px: 3,
        py: 1.5,
        borderRadius: '7px',
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
        '&:focus': { top: 8 },
      }}
    >
      Skip to content
    </Box>
  )
}
