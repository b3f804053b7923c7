/** Which overlay is open: the palette or the help sheet, one at a time. */
import { Store, useStore } from '@tanstack/react-store'

type Overlay = 'palette' | 'help' | null

const overlay = new Store<Overlay>(null)

export const useOverlay = () => useStore(overlay)
export const openOverlay = (which: Exclude<Overlay, null>) => overlay.setState(() => which)
export const closeOverlay = () => overlay.setState(() => null)
