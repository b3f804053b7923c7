import type { ComponentProps } from 'react'
import * as css from './layout.module.css'

interface ColumnProps extends ComponentProps<'div'> {
  /** Pixels between two of them. */
  gap?: 8 | 12 | 16
}

/** Parts below each other. */
export function Column({ gap, className = '', ...props }: ColumnProps) {
  return <div {...props} className={`${css.column} ${className}`} data-gap={gap} />
}
