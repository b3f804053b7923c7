import type { ComponentProps } from 'react'
import * as css from './base.module.css'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'color'> {
  /** Its name for screen readers: a verb. */
  'aria-label': string
  /** 24 px, in rows and fields. */
  size?: 'small'
  color?: 'inherit'
}

/** A button that is an icon. */
export function IconButton({ size, color, className = '', ...props }: IconButtonProps) {
  return (
    <button type="button" {...props} className={`${css.iconButton} ${className}`} data-size={size} data-color={color} />
  )
}
