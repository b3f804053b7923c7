/** Whether the page fills the window, without the navigation and the bar at the top. */
import { Store, useStore } from '@tanstack/react-store'
import { useEffect } from 'react'

const filled = new Store(false)

export const useIsFullScreen = (): boolean => useStore(filled)

/** Fills the window while the page is shown and `wanted`: the page has the way back. */
export function useFullScreen(wanted: boolean): void {
  useEffect(() => {
    filled.setState(() => wanted)
    return () => filled.setState(() => false)
  }, [wanted])
}
