/** Actions of the open page: the palette lists it, shortcuts run it. */
import { Store, useStore } from '@tanstack/react-store'
import { useLayoutEffect, type RefObject } from 'react'
import type { Action } from '#console/ui/actions/actions.ts'

export interface PageAction extends Action {
  /** The main action of the page. */
  primary?: boolean
  /** It opens a dialog below its button. */
  popup?: { button: RefObject<HTMLButtonElement | null>; open: boolean; preload: () => void }
}

const actions = new Store<PageAction[]>([])

/** Offers actions while the page is open. Give it a stable array (useMemo). */
export function usePageActions(offered: PageAction[]): void {
  // Before the page is painted: its keys work at first sight of it.
  useLayoutEffect(() => {
    actions.setState((all) => [...all, ...offered])
    return () => actions.setState((all) => all.filter((pageAction) => !offered.includes(pageAction)))
  }, [offered])
}

export const useRegisteredActions = () => useStore(actions)
export const registeredActions = () => actions.state
