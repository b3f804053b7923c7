import Button, { type ButtonProps } from '@mui/material/Button'
import MuiLink, { type LinkProps as MuiLinkProps } from '@mui/material/Link'
import { createLink } from '@tanstack/react-router'
import { forwardRef } from 'react'

/** A button that goes somewhere: a real link, so that it opens in a new tab too. */
export const LinkButton = createLink(
  forwardRef<HTMLAnchorElement, ButtonProps<'a'>>(function LinkButton(props, ref) {
    return <Button component="a" ref={ref} {...props} />
  }),
)

/** A link in a text or a cell. */
export const TextLink = createLink(
  forwardRef<HTMLAnchorElement, MuiLinkProps>(function TextLink(props, ref) {
    return <MuiLink ref={ref} {...props} />
  }),
)
