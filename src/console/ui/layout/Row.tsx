import type { ReactNode } from 'react'
import * as css from './layout.module.css'

/** Small parts beside each other, in several lines where there is no room. */
export function Row({ className = '', children }: { className?: string | undefined; children: ReactNode }) {
  return <div className={`${css.row} ${className}`}>{children}</div>
}
