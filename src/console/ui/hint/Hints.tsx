import { useEffect, useState } from 'react'
import { lazyComponent } from '../base/lazyComponent.tsx'
import { hintAttribute } from './hint.ts'

const HintBubble = lazyComponent(async () => (await import('./HintBubble.tsx')).HintBubble)

/** Milliseconds of resting on an element before its hint shows. */
const delay = 300

/** Shows the hint of whatever is hovered or focused by keyboard. Its positioning code comes with the first one. */
export function Hints() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (target: EventTarget | null, after: number) => {
      clearTimeout(timer)
      const hinted = target instanceof Element ? target.closest<HTMLElement>(`[${hintAttribute}]`) : null
      if (!hinted) return setAnchor(null)
      HintBubble.preload()
      timer = setTimeout(() => setAnchor(hinted), after)
    }
    const hide = () => show(null, 0)
    const hover = (event: PointerEvent) => event.pointerType === 'mouse' && show(event.target, delay)
    const focus = (event: FocusEvent) =>
      show(event.target instanceof Element && event.target.matches(':focus-visible') ? event.target : null, 0)
    const press = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    document.addEventListener('pointerover', hover)
    document.addEventListener('pointerdown', hide)
    // By the keyboard too: the element may do something else now.
    document.addEventListener('click', hide)
    document.addEventListener('focusin', focus)
    document.addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', hover)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('click', hide)
      document.removeEventListener('focusin', focus)
      document.removeEventListener('keydown', press)
    }
  }, [])

  const text = anchor?.getAttribute(hintAttribute)
  return anchor && text && <HintBubble anchor={anchor} text={text} />
}
