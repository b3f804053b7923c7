import { visible } from './visible.ts'
import type { HTMLAttributes } from 'react'
import * as css from './base.module.css'

interface TextProps extends HTMLAttributes<HTMLElement> {
  variant?: 'h1' | 'h2' | 'h3' | 'caption' | 'overline'
  color?: 'textSecondary' | 'error'
  /** The element; otherwise a heading for headings, a span for captions, a paragraph for the rest. */
  component?: 'div' | 'span' | 'p' | 'h2' | 'h3' | 'legend' | 'th'
  /** On one line, cut off where it ends. */
  noWrap?: boolean
}

/** Text in one of the console's sizes. */
export function Text({ variant, color, component, noWrap = false, className = '', children, ...props }: TextProps) {
  const Element = component ?? (variant === 'caption' || variant === 'overline' ? 'span' : (variant ?? 'p'))
  return (
    <Element
      {...props}
      className={`${css.text} ${className}`}
      data-variant={variant}
      data-color={color}
      {...(noWrap ? { 'data-truncated': '' } : {})}
    >
      {visible(children)}
    </Element>
  )
}
