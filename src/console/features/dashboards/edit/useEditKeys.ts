import { useLayoutEffect } from 'react'

interface EditKeys {
  undo: (() => void) | null
  redo: (() => void) | null
  save: (() => void) | null
}

/** Ctrl or Cmd with Z, Shift Z, Y and S; texts keep their own undo. */
export function useEditKeys({ undo, redo, save }: EditKeys): void {
  // Before the page is painted: a key pressed at the first sight of a change counts.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      if (document.querySelector('[role="dialog"]')) return
      const key = event.key.toLowerCase()
      const run =
        key === 's'
          ? save
          : isText(event.target)
            ? null
            : key === 'y' || (key === 'z' && event.shiftKey)
              ? redo
              : key === 'z'
                ? undo
                : null
      if (key === 's') event.preventDefault()
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [undo, redo, save])
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA'].includes(target.tagName))
}
