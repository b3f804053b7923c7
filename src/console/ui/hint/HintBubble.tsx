import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import * as css from './hint.module.css'
import { sideOf } from './hint.ts'

/** Pixels between the hint and its element, and the edge of the window. */
const gap = 6

/** The hint beside its element. Visual only: screen readers read the element's name. */
export function HintBubble({ anchor, text }: { anchor: HTMLElement; text: string }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const bubble = ref.current
    if (bubble) place(bubble, anchor)
  })
  return createPortal(
    <div ref={ref} aria-hidden className={css.bubble}>
      {text}
    </div>,
    document.body,
  )
}

/** Below its element, or to the right of it; on the other side where there is no room. */
function place(bubble: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = bubble
  let left = at.left + at.width / 2 - width / 2
  let top = at.bottom + gap
  if (top + height + gap > innerHeight) top = at.top - gap - height
  if (sideOf(anchor) === 'right') {
    left = at.right + gap
    top = at.top + at.height / 2 - height / 2
    if (left + width + gap > innerWidth) left = at.left - gap - width
  }
  bubble.style.left = `${Math.round(Math.max(gap, Math.min(left, innerWidth - width - gap)))}px`
  bubble.style.top = `${Math.round(Math.max(gap, Math.min(top, innerHeight - height - gap)))}px`
}
