import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** The number of a firing, in the chart and in the table. */
export function FiringNumber({ children }: { children: ReactNode }) {
  return (
    <Box component="span" sx={numberSx}>
      {children}
    </Box>
  )
}

const numberSx = {
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  minWidth: 16,
  height: 16,
  px: 0.75,
  mr: 1,
  borderRadius: 8,
  fontSize: 10,
  fontWeight: 650,
  lineHeight: 1,
  bgcolor: 'error.main',
  color: 'error.contrastText',
} as const
