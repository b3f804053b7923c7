import type { ReactNode } from 'react'
import * as css from './layout.module.css'

interface ScrollRegionProps {
  /** The name of the scrolled content, for screen readers. */
  label: string
  as?: 'div' | 'pre' | 'ul'
  className?: string | undefined
  children: ReactNode
}

/** A scrollable region that is focusable by keyboard and has a name. A list stays a list. */
export function ScrollRegion({ label, as: Element = 'div', className = '', children }: ScrollRegionProps) {
  return (
    <Element
      {...(Element !== 'ul' && { role: 'group' })}
      aria-label={label}
      // Without a tab stop the arrow keys would have nothing to scroll.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={`${css.region} ${className}`}
    >
      {children}
    </Element>
  )
}
