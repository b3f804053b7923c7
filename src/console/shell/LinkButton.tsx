import { visible } from '#console/ui/base/visible.ts'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { ButtonIcon, buttonAttributes, type ButtonStyle } from '#console/ui/base/Button.tsx'
import * as css from './shell.module.css'

interface ButtonAnchorProps extends Omit<ComponentProps<'a'>, 'color'>, ButtonStyle {
  startIcon?: ReactNode
}

/** A button that goes somewhere: a real link, so that it opens in a new tab too. */
export const LinkButton = createLink(function LinkButton(props: ButtonAnchorProps) {
  const { variant, color, size, startIcon, className, children, ...anchor } = props
  return (
    <a {...anchor} {...buttonAttributes({ variant, color, size }, className)}>
      {startIcon && <ButtonIcon>{startIcon}</ButtonIcon>}
      {children}
    </a>
  )
})

interface TextAnchorProps extends ComponentProps<'a'> {
  /** The name of a row: as dark as its text, and heavier. The table shows its invisible characters beside it. */
  row?: boolean
  /** Underlines the link even without hover, for links inside running text. */
  underline?: 'always'
}

/** A link in a text or a cell. */
export const TextLink = createLink(function TextLink({
  row,
  underline,
  className = '',
  children,
  ...anchor
}: TextAnchorProps) {
  return (
    <a {...anchor} className={`${css.linkButtonLink} ${className}`} data-row={row} data-underline={underline}>
      {row ? children : visible(children)}
    </a>
  )
})
