/** Effects of arriving at a page: window title, announcement, focus. Changes of the query string are no arrival. */
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { useFrameConnection } from '../connection.tsx'
import { useFiringCount } from '../navigation/firingAlerts.ts'
import { useCrumbs } from '../navigation/navigation.ts'

export function usePageChange(onPageChange: () => void): {
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
