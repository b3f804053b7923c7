import type { ReactNode } from 'react'
import * as css from './layout.module.css'

/** Panels beside each other where the window has room for two. */
export function PanelGrid({ children }: { children: ReactNode }) {
  return <div className={css.panelGrid}>{children}</div>
}
