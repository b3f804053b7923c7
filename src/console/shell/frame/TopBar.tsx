import { CircleQuestionMark, Menu as MenuIcon, Search } from 'lucide-react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { Kbd } from '#console/ui/base/Kbd.tsx'
import { AllowWritesButton } from './AllowWritesButton.tsx'
import { useJobs } from '../bulk/jobStore.ts'
import { RateLimitMeter } from './RateLimitMeter.tsx'
import { Breadcrumbs } from '../navigation/Breadcrumbs.tsx'
import { ConnectionSwitcher } from '../switcher/ConnectionSwitcher.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { openOverlay } from '../overlay.ts'
import { preloadPalette } from './Overlays.tsx'
import { SettingsButton } from './SettingsButton.tsx'
import { modKey } from './modKey.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import css from './TopBar.module.css'
import windowWidth from './windowWidth.module.css'

// Only while something is done to many records.
const JobCenter = lazyComponent(async () => (await import('../bulk/JobCenter.tsx')).JobCenter)

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
      <div className={css.spacer} />
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
        <span className={windowWidth.narrow}>
          <VisuallyHidden>Search or jump to…</VisuallyHidden>
        </span>
        <span aria-hidden className={windowWidth.wide}>
          <Kbd>{`${modKey} K`}</Kbd>
        </span>
      </Button>
      <div className={css.help}>
        <IconButton {...hint('Help and shortcuts')} aria-label="Help and shortcuts" onClick={() => openOverlay('help')}>
          <CircleQuestionMark size={16} aria-hidden />
        </IconButton>
      </div>
      <SettingsButton />
    </header>
  )
}
