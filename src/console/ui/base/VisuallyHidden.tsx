import type { ReactNode } from 'react'
import * as css from './base.module.css'

/** Text for screen readers only. */
export function VisuallyHidden({
  children,
  id,
  live,
}: {
  children: ReactNode
  id?: string
  live?: 'polite' | 'assertive'
}) {
  return (
    <span {...(id ? { id } : {})} {...(live ? { 'aria-live': live } : {})} className={css.visuallyHidden}>
      {children}
    </span>
  )
}
