import type { ReactNode } from 'react'
import * as css from './form.module.css'

/** Fields beside each other where there is room, under each other where there is not. */
export function FieldGrid({ columns = 2, children }: { columns?: 1 | 2 | 3; children: ReactNode }) {
  return (
    <div className={css.fieldGrid} data-columns={columns}>
      {children}
    </div>
  )
}
