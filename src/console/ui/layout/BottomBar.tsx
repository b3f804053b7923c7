import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** A bar that sticks to the bottom of a page or drawer, over its padding. With a label it is a region. */
export function BottomBar({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <Box
      {...(label !== undefined && { role: 'region', 'aria-label': label })}
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 4,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        minHeight: 56,
        mx: { xs: -3, sm: '-22px' },
        mb: { xs: -3, sm: '-18px' },
        px: { xs: 3, sm: '22px' },
        py: 2,
        bgcolor: 'tone.raised',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {children}
    </Box>
  )
}
