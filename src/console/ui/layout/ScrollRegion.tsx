import Box from '@mui/material/Box'
import type { SxProps, Theme } from '@mui/material/styles'
import type { ReactNode } from 'react'

interface ScrollRegionProps {
  /** What scrolls, for screen readers. */
  label: string
  as?: 'div' | 'pre' | 'ul'
  sx?: SxProps<Theme>
  children: ReactNode
}

/** A scrollable region that is focusable by keyboard and has a name. A list stays a list. */
export function ScrollRegion({ label, as = 'div', sx, children }: ScrollRegionProps) {
  return (
    <Box
      component={as}
      {...(as !== 'ul' && { role: 'group' })}
      aria-label={label}
      // Without a tab stop the arrow keys would have nothing to scroll.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      sx={[
        { overflow: 'auto', ...(as !== 'div' && { m: 0 }), ...(as === 'ul' && { p: 0, listStyle: 'none' }) },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    >
      {children}
    </Box>
  )
}
