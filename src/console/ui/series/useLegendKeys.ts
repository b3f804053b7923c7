import { type FocusEvent, type KeyboardEvent, useState } from 'react'

const steps: Partial<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** A legend is one tab stop: arrow keys, Home and End lead from series to series. Its buttons have `data-legend`. */
export function useLegendKeys(ids: readonly string[], { onFocus: point }: { onFocus?: (event: FocusEvent) => void }) {
  const [current, setCurrent] = useState<string | undefined>()
  // Another one, where the current one is no longer listed.
  const stop = current !== undefined && ids.includes(current) ? current : ids[0]

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
    const buttons = [...currentTarget.querySelectorAll<HTMLElement>('[data-legend]')]
    const at = buttons.indexOf(target)
    const step = steps[key]
    const to = key === 'Home' ? 0 : key === 'End' ? buttons.length - 1 : step === undefined ? -1 : at + step
    const next = buttons[Math.min(Math.max(to, 0), buttons.length - 1)]
    if (at < 0 || (to < 0 && step === undefined) || !next) return
    event.preventDefault()
    next.focus()
  }
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    point?.(event)
    const id = event.target.getAttribute('data-legend')
    if (id !== null) setCurrent(id)
  }
  return { tabIndexOf: (id: string) => (id === stop ? 0 : -1), keys: { onKeyDown, onFocus } }
}
