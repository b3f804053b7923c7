import type { ReactNode } from 'react'
import * as css from '../alerts.module.css'

/** The number of a firing, in the chart and in the table. */
export function FiringNumber({ children }: { children: ReactNode }) {
  return <span className={css.firingNumber}>{children}</span>
}
