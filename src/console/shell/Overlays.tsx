import { lazy, Suspense } from 'react'
import { useOverlay } from './overlay.ts'

// Opened now and then: not part of the first load.
const Palette = lazy(async () => ({ default: (await import('./palette/Palette.tsx')).Palette }))
const HelpSheet = lazy(async () => ({ default: (await import('./HelpSheet.tsx')).HelpSheet }))

/** Draws the overlay that is open. */
export function Overlays() {
  const open = useOverlay()
  return (
    <Suspense fallback={null}>
      {open === 'palette' && <Palette />}
      {open === 'help' && <HelpSheet />}
    </Suspense>
  )
}
