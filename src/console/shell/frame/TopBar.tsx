import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { CircleQuestionMark, Menu as MenuIcon, Search } from 'lucide-react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { Kbd } from '#console/ui/Kbd.tsx'
import { AllowWritesButton } from './AllowWritesButton.tsx'
import { useJobs } from '../bulk/jobStore.ts'
import { RateLimitMeter } from './RateLimitMeter.tsx'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { ConnectionSwitcher } from '../switcher/ConnectionSwitcher.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { openOverlay } from '../overlay.ts'
import { preloadPalette } from './Overlays.tsx'
import { SettingsButton } from './SettingsButton.tsx'
import { modKey } from './modKey.ts'

// Only while something is done to many records.
const JobCenter = lazyComponent(async () => (await import('../bulk/JobCenter.tsx')).JobCenter)

/** The top bar: connection, breadcrumbs, rate limit, command palette and settings. */
export function TopBar({ onMenu }: { onMenu: (() => void) | undefined }) {
  const jobs = useJobs()
  return (
    <Box
      component="header"
      sx={{
        gridColumn: '1 / -1',
        display: 'flex',
        alignItems: 'center',
        gap: { xs: 1, md: 3 },
        px: { xs: 1.5, md: 3.5 },
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
        minWidth: 0,
      }}
    >
      {onMenu && (
        <IconButton aria-label="Open navigation" onClick={onMenu}>
          <MenuIcon size={18} aria-hidden />
        </IconButton>
      )}
      <ConnectionSwitcher />
      <Box sx={{ display: { xs: 'none', md: 'block' }, minWidth: 0 }}>
        <Breadcrumbs />
      </Box>
      <Box sx={{ flexGrow: 1 }} />
      <RateLimitMeter />
      {jobs.length > 0 && <JobCenter jobs={jobs} />}
      <AllowWritesButton />
      <Button
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={preloadPalette}
        onClick={() => openOverlay('palette')}
        sx={{
          width: { md: 232 },
          minWidth: 30,
          // A long page name is shortened instead of this button.
          flexShrink: 0,
          px: { xs: 2, md: 2.5 },
          gap: 2,
          justifyContent: 'flex-start',
          color: 'text.secondary',
          fontWeight: 400,
          borderColor: 'divider',
        }}
      >
        <Search size={14} aria-hidden style={{ flexShrink: 0 }} />
        <Box component="span" sx={{ display: { xs: 'none', md: 'inline' }, flexGrow: 1, textAlign: 'left' }}>
          Search or jump to…
        </Box>
        <Box component="span" sx={{ display: { md: 'none' } }}>
          <VisuallyHidden>Search or jump to…</VisuallyHidden>
        </Box>
        <Box component="span" aria-hidden sx={{ display: { xs: 'none', md: 'inline' } }}>
          <Kbd>{`${modKey} K`}</Kbd>
        </Box>
      </Button>
      <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
        <IconButton {...hint('Help and shortcuts')} aria-label="Help and shortcuts" onClick={() => openOverlay('help')}>
          <CircleQuestionMark size={16} aria-hidden />
        </IconButton>
      </Box>
      <SettingsButton />
    </Box>
  )
}
