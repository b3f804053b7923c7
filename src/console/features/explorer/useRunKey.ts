import { useEffect, useEffectEvent } from 'react'

/** Ctrl or Cmd with Enter runs the query, wherever the focus is on the page; dialogs, menus and forms have their own keys. */
export function useRunKey(run: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    if (event.target instanceof Element && event.target.closest(elsewhere)) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

const elsewhere = 'form, dialog, [role="dialog"], [role="alertdialog"], [role="menu"]'
