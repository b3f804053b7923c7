/** The keyboard: one listener, switched by where the focus is and by the person's setting. */
import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { entryPath, useNavEntries } from './navigation/navigation.ts'
import { runLatestToastAction } from '#console/shell/messages/toasts.tsx'
import { closeChord, isChordOpen, openChord } from '#console/shell/keyChord.ts'
import { openOverlay, overlayIsOpen, typeAhead } from '#console/shell/overlay.ts'
import { preloadPalette } from './Overlays.tsx'
import { registeredActions } from '#console/shell/pageActions.ts'
import { browserSettings } from '#console/shell/browserSettings.ts'

export function useShortcuts(): void {
  const entries = useNavEntries()
  const { connection } = useFrameConnection()
  const navigate = useNavigate()

  // Before the page is painted: a key pressed at first sight of it counts.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Control' || event.key === 'Meta') preloadPalette()
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openOverlay('palette')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return
      // The overlay was requested and its code is loading: the keys are for it, not for the page.
      if (overlayIsOpen()) {
        event.preventDefault()
        if (event.key.length === 1) typeAhead(event.key)
        return
      }
      if (isTyping(event) || !browserSettings().singleKeys) return
      // A key that is held down is one key.
      if (event.repeat && isChordOpen()) return
      if (closeChord()) {
        const entry = entries.find((navEntry) => navEntry.key === event.key)
        if (!entry) return
        event.preventDefault()
        void navigate({ to: entryPath(entry, connection?.id) })
        return
      }
      if (event.key === 'g') openChord()
      else if (event.key === '?') openOverlay('help')
      else if (event.key === '/' && focusSearch()) event.preventDefault()
      else if (event.key === 'u' && runLatestToastAction()) event.preventDefault()
      else runPageAction(event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [entries, connection?.id, navigate])
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** Returns whether the page has a search field. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('input[type=search]')
  search?.focus()
  search?.select()
  return search !== null
}

function runPageAction(event: KeyboardEvent): void {
  const action = registeredActions().find((registeredAction) => registeredAction.key === event.key)
  if (!action || action.disabled !== undefined) return
  event.preventDefault()
  action.run()
}
