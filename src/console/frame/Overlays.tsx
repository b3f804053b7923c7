import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useOverlay } from '#console/shell/overlay.ts'

// Opened now and then: not part of the first load.
const Palette = lazyComponent(async () => (await import('./palette/Palette.tsx')).Palette)
const HelpSheet = lazyComponent(async () => (await import('./HelpSheet.tsx')).HelpSheet)

export const preloadPalette = Palette.preload

/** Draws the overlay that is open. */
export function Overlays() {
  const open = useOverlay()
  return (
    <>
      {open === 'palette' && <Palette />}
      {open === 'help' && <HelpSheet />}
    </>
  )
}
