import type { ReactNode } from 'react'
import * as css from './layout.module.css'

/** A bar that sticks to the bottom of a page or drawer, over its padding. With a label it is a region. */
export function BottomBar({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div {...(label !== undefined && { role: 'region', 'aria-label': label })} className={css.bottomBar}>
      {children}
    </div>
  )
}
