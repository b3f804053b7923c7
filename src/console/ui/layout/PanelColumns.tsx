import type { ReactNode } from 'react'
import * as css from './layout.module.css'

/** Panels of different heights in two columns without gaps, where the window has room for two. */
export function PanelColumns({ children }: { children: ReactNode }) {
  return <div className={css.panelColumns}>{children}</div>
}
