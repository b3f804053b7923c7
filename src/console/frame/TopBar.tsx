import { CircleQuestionMark, LockKeyholeOpen, Menu as MenuIcon, Monitor, Search } from 'lucide-react'
import { useState } from 'react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { Kbd } from '#console/ui/base/Kbd.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { useThemeMode } from '#console/ui/theme/themeMode.ts'
import { useJobs } from '#console/records/bulk/jobStore.ts'
import { Breadcrumbs } from './navigation/Breadcrumbs.tsx'
import { ConnectionSwitcher } from './switcher/ConnectionSwitcher.tsx'
import { openOverlay } from '#console/shell/overlay.ts'
import { themeModes } from '#console/shell/themeModes.ts'
import { RateLimitMeter } from './RateLimitMeter.tsx'
import { preloadPalette } from './Overlays.tsx'
import { modKey } from './modKey.ts'
import * as css from './frame.module.css'
import type { Connection } from '#contract/console/connections.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'

// Only while something is done to many records.
const JobCenter = lazyComponent(async () => (await import('#console/records/bulk/JobCenter.tsx')).JobCenter)

/** The top bar: connection, breadcrumbs, rate limit, command palette and settings. */
export function TopBar({ onMenu }: { onMenu: (() => void) | undefined }) {
  const jobs = useJobs()
  return (
    <header className={css.topBar}>
      {onMenu && (
        <IconButton aria-label="Open navigation" onClick={onMenu}>
          <MenuIcon size={18} aria-hidden />
        </IconButton>
      )}
      <ConnectionSwitcher />
      <div className={css.crumbs}>
        <Breadcrumbs />
      </div>
      <div className={css.topBarSpacer} />
      <RateLimitMeter />
      {jobs.length > 0 && <JobCenter jobs={jobs} />}
      <AllowWritesButton />
      <Button
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={preloadPalette}
        onClick={() => openOverlay('palette')}
        className={css.search}
      >
        <Search size={14} aria-hidden style={{ flexShrink: 0 }} />
        <span className={css.searchLabel}>Search or jump to…</span>
        <span className={css.narrowOnly}>
          <VisuallyHidden>Search or jump to…</VisuallyHidden>
        </span>
        <span aria-hidden className={css.wideOnly}>
          <Kbd>{`${modKey} K`}</Kbd>
        </span>
      </Button>
      <div className={css.topBarHelp}>
        <IconButton {...hint('Help and shortcuts')} aria-label="Help and shortcuts" onClick={() => openOverlay('help')}>
          <CircleQuestionMark size={16} aria-hidden />
        </IconButton>
      </div>
      <SettingsButton />
    </header>
  )
}

const SettingsMenu = lazyComponent(async () => (await import('./SettingsMenu.tsx')).SettingsMenu)

/** Opens theme, help and sign-out; its icon shows the theme. */
function SettingsButton() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const mode = useThemeMode()
  const Current = themeModes.find((themeMode) => themeMode.mode === mode)?.Icon ?? Monitor
  return (
    <>
      <IconButton
        {...hint('Theme and session')}
        aria-label="Theme and session"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={SettingsMenu.preload}
        onFocus={SettingsMenu.preload}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Current size={16} aria-hidden />
      </IconButton>
      {anchor && <SettingsMenu anchor={anchor} close={() => setAnchor(null)} />}
    </>
  )
}

/** Loaded on demand, because the frame contains no schemas. */
const ask = async (connection: Connection) => (await import('#console/shell/stage/readOnly.ts')).allowWrites(connection)

/** On pages of a read-only connection: allows writes. */
function AllowWritesButton() {
  const { connection, inAddress } = useFrameConnection()
  if (!inAddress || !connection?.readOnly || connection.writesRefused) return null
  return (
    <Button onClick={() => void ask(connection)} className={css.allowWritesButton}>
      <LockKeyholeOpen size={14} aria-hidden />
      <span className={css.wideOnly}>Allow writes</span>
      <span className={css.narrowOnly}>
        <VisuallyHidden>Allow writes</VisuallyHidden>
      </span>
    </Button>
  )
}
