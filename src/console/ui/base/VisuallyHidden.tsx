import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** Text for screen readers only. */
export function VisuallyHidden({
  children,
  id,
  live,
}: {
  children: ReactNode
  id?: string
  live?: 'polite' | 'assertive'
}) {
  return (
    <Box
      component="span"
      {...(id ? { id } : {})}
      {...(live ? { 'aria-live': live } : {})}
      sx={{
        position: 'absolute',
        width: '1px',
        height: '1px',
        overflow: 'hidden',
        clipPath: 'inset(50%)',
        whiteSpace: 'nowrap',
      }}
    >
      {children}
    </Box>
  )
}
