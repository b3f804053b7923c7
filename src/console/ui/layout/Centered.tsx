import type { ReactNode } from 'react'
import * as css from './layout.module.css'

/** A few words in the middle, in the place of a page or a table. `alert` announces them when they appear. */
export function Centered({ alert = false, children }: { alert?: boolean; children: ReactNode }) {
  return (
    <div {...(alert ? { role: 'alert' } : {})} className={css.centered}>
      {children}
    </div>
  )
}

/** The buttons under them. */
export function CenteredActions({ children }: { children: ReactNode }) {
  return <div className={css.centeredActions}>{children}</div>
}
