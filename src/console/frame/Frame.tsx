import { Outlet, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { onStored } from '#console/api/stored.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { ConfirmHost } from '#console/shell/confirm/ConfirmHost.tsx'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { useIsFullScreen } from '#console/shell/fullScreen.ts'
import { FrameNotices } from './FrameNotices.tsx'
import { useMediaQuery } from '#console/ui/useMediaQuery.ts'
import { Hints } from '#console/ui/hint/Hints.tsx'
import { Navigation } from './navigation/Navigation.tsx'
import { useCrumbs, useOpenPlace } from './navigation/navigation.ts'
import { SectionBar } from './navigation/SectionBar.tsx'
import { SettingsNavigation } from './navigation/SettingsNavigation.tsx'
import { Overlays } from './Overlays.tsx'
import { useBrowserSetting } from '#console/shell/browserSettings.ts'
import { Toasts } from '#console/shell/messages/toasts.tsx'
import { TopBar } from './TopBar.tsx'
import { useShortcuts } from './useShortcuts.ts'
import * as css from './frame.module.css'
import { useFiringCount } from './navigation/firingAlerts.ts'

const ApprovalHost = lazyComponent(async () => (await import('./approval/ApprovalHost.tsx')).ApprovalHost)
const FiringAlertsPoll = lazyComponent(async () => (await import('./FiringAlertsPoll.tsx')).FiringAlertsPoll)
const NavigationDrawer = lazyComponent(async () => (await import('./navigation/NavigationDrawer.tsx')).NavigationDrawer)

/** The frame around every page: colour of the connection, top bar, navigation, notices, page. */
export function Frame() {
  const { connection, inAddress, connections } = useFrameConnection()
  const phone = useMediaQuery('(max-width: 760px)')
  const narrow = useMediaQuery('(max-width: 1100px)')
  const { inSettings } = useOpenPlace()
  // The list of Settings takes the place of the names.
  const collapsed = useBrowserSetting('navFolded') || narrow || inSettings
  const [open, setOpen] = useState(false)
  const { announcement, mainRef } = usePageChange(() => setOpen(false))
  const isFullScreen = useIsFullScreen()
  useShortcuts()
  useDroppedWarnings()

  return (
    <div
      className={css.frame}
      data-collapsed={collapsed}
      data-settings={inSettings}
      data-full-screen={isFullScreen}
      style={{ borderColor: `var(--stage-${(inAddress && connection?.stage) || 'none'})` }}
    >
      <SkipLink />
      {!isFullScreen && <TopBar onMenu={phone ? () => setOpen(true) : undefined} />}
      <FrameBars />
      {isFullScreen ? null : phone ? (
        open && <NavigationDrawer close={() => setOpen(false)} />
      ) : (
        <div className={css.navigation}>
          <Navigation collapsed={collapsed} collapsible={!narrow && !inSettings} />
          {inSettings && <SettingsNavigation />}
        </div>
      )}
      <main id="main" ref={mainRef} tabIndex={-1} className={css.main}>
        <SectionBar phone={phone} />
        <FrameNotices />
        <Outlet />
      </main>
      <VisuallyHidden live="polite">{announcement}</VisuallyHidden>
      {connection && inAddress && <FiringAlertsPoll key={connection.id} connection={connection} />}
      <ConfirmHost />
      {connections.some(({ twoPersonApproval }) => twoPersonApproval) && <ApprovalHost />}
      <Toasts />
      <Overlays />
      <Hints />
    </div>
  )
}

const loadWarnings = () => import('#console/records/fieldsNotKept/warnOfFieldsNotKept.ts')

/** Warns of fields that deployments do not keep, whatever page writes them. Its code is loaded with the first write. */
function useDroppedWarnings(): void {
  useEffect(() => {
    // Loaded once, so that writes are named in their order.
    let loading: ReturnType<typeof loadWarnings> | undefined
    onStored((write) => {
      loading ??= loadWarnings()
      void loading.then(({ warnOfFieldsNotKept }) => warnOfFieldsNotKept(write))
    })
  }, [])
}

function SkipLink() {
  return (
    <a
      href="#main"
      onClick={(event) => {
        event.preventDefault()
        document.getElementById('main')?.focus()
      }}
      className={css.skipLink}
    >
      Skip to content
    </a>
  )
}

const BreakGlassBar = lazyComponent(async () => (await import('./BreakGlassBar.tsx')).BreakGlassBar)
const WritesAllowedBar = lazyComponent(async () => (await import('./WritesAllowedBar.tsx')).WritesAllowedBar)

/** Between the top bar and the page, in sight however far the page is scrolled, and of whichever connection it is. */
function FrameBars() {
  const { connections } = useFrameConnection()
  return (
    <div className={css.frameBars}>
      {connections.map(
        (connection) =>
          connection.breakGlass && (
            <BreakGlassBar key={connection.id} connection={connection} breakGlass={connection.breakGlass} />
          ),
      )}
      {connections.map((connection) => {
        const until = connection.readOnlyLiftedUntil
        return until && <WritesAllowedBar key={`${connection.id} ${until}`} connection={connection} until={until} />
      })}
    </div>
  )
}

/** Effects of arriving at a page: window title, announcement, focus. Changes of the query string are no arrival. */
function usePageChange(onPageChange: () => void): {
  announcement: string
  mainRef: RefObject<HTMLElement | null>
} {
  const mainRef = useRef<HTMLElement | null>(null)
  const router = useRouter()
  const { connection, inAddress } = useFrameConnection()
  const crumbs = useCrumbs()
  const page = crumbs
    .map((crumb) => crumb.title)
    .toReversed()
    .join(' · ')
  const place = inAddress && connection ? `${page} · ${connection.name}` : page

  const firing = useFiringCount(inAddress ? connection?.id : undefined)

  useEffect(() => {
    const title = place ? `${place} · Stack Console` : 'Stack Console'
    document.title = firing ? `(${firing} firing) ${title}` : title
  }, [place, firing])

  const arrive = useEffectEvent(() => {
    onPageChange()
    const main = mainRef.current
    // A page that focuses one of its fields keeps that focus.
    if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
    main?.scrollTo(0, 0)
  })

  // Not when the address changes: the page that is left is still drawn then, and takes the focus with it when it goes.
  useEffect(
    () => router.subscribe('onRendered', ({ fromLocation, pathChanged }) => fromLocation && pathChanged && arrive()),
    [router],
  )

  return { announcement: place, mainRef }
}
