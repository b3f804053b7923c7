import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** A few words in the middle, in the place of a page or a table. `alert` announces them when they appear. */
export function Centered({ alert = false, children }: { alert?: boolean; children: ReactNode }) {
  return (
    <Box
      {...(alert ? { role: 'alert' } : {})}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        gap: 2,
        py: 12,
        px: 4,
        textAlign: 'center',
      }}
    >
      {children}
    </Box>
  )
}

/** The buttons under them. */
export function CenteredActions({ children }: { children: ReactNode }) {
  return <Box sx={{ display: 'flex', gap: 2, mt: 2, flexWrap: 'wrap', justifyContent: 'center' }}>{children}</Box>
}
