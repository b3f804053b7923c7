import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import * as css from './base.module.css'

export interface ButtonStyle {
  variant?: 'outlined' | 'contained' | 'text' | undefined
  color?: 'inherit' | 'primary' | 'error' | undefined
  /** Smaller letters, in charts and lists. */
  size?: 'small' | undefined
}

/** Classes that make an element look like a button: for those that are a link or the label of a file. */
export const buttonAttributes = ({ variant = 'outlined', color = 'inherit', size }: ButtonStyle, className = '') => ({
  className: `${css.button} ${className}`,
  'data-variant': variant,
  'data-color': color,
  'data-size': size,
})

const spinner = <span role="progressbar" aria-label="Loading" className={css.buttonSpinner} />

interface ButtonProps extends Omit<ComponentProps<'button'>, 'color'>, ButtonStyle {
  startIcon?: ReactNode
  endIcon?: ReactNode
  /** Its action is under way: shows that, and cannot be pressed. It keeps the focus, so that the keyboard still works. */
  loading?: boolean | undefined
}

/** Keeps a press, and Enter in a field of the form, from submitting. */
const preventDefault = (event: MouseEvent) => event.preventDefault()

/** A button. Its name is a verb. */
export function Button(all: ButtonProps) {
  const { variant, color, size, startIcon, loading = false, className, endIcon, children, ...props } = all
  return (
    <button
      type="button"
      {...props}
      {...buttonAttributes({ variant, color, size }, className)}
      {...(loading && { 'aria-disabled': true, onClick: preventDefault })}
      {...(loading && !startIcon ? { 'data-loading': '' } : {})}
    >
      {loading && !startIcon && spinner}
      {startIcon && <ButtonIcon>{loading ? spinner : startIcon}</ButtonIcon>}
      {children}
      {endIcon && <span className={css.end}>{endIcon}</span>}
    </button>
  )
}

/** The icon before the words of a button. */
export const ButtonIcon = ({ children }: { children: ReactNode }) => <span className={css.buttonIcon}>{children}</span>
