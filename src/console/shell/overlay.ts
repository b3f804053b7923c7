/** Which overlay is open: the palette or the help sheet, one at a time. */
import { Store, useStore } from '@tanstack/react-store'

type Overlay = 'palette' | 'help' | null

const overlay = new Store<Overlay>(null)

/** Letters that came before the palette was there to take them. */
let typedAhead = ''

export const useOverlay = () => useStore(overlay)
export const overlayIsOpen = () => overlay.state !== null
export const openOverlay = (which: Exclude<Overlay, null>) => {
  typedAhead = ''
  overlay.setState(() => which)
}
export const closeOverlay = () => overlay.setState(() => null)

/** Keeps a letter for the palette. */
export const typeAhead = (letter: string) => {
  typedAhead += letter
}
/** The initial text of the palette. */
export const readTypedAhead = () => typedAhead
