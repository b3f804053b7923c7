import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

export type ChipTone = 'ok' | 'warn' | 'bad' | 'accent' | 'neutral'

const looks = {
  ok: { bgcolor: 'tone.okSoft', color: 'success.main' },
  warn: { bgcolor: 'tone.warnSoft', color: 'warning.main' },
  bad: { bgcolor: 'tone.badSoft', color: 'error.main' },
  accent: { bgcolor: 'tone.accentSoft', color: 'tone.accentText' },
  neutral: { border: 1, borderColor: 'tone.edge', color: 'text.secondary' },
} as const

/** A word on a soft ground. The word carries the meaning, the colour helps the eye. */
export function StatusChip({ tone, children }: { tone: ChipTone; children: ReactNode }) {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-block',
        px: 1.5,
        borderRadius: '4px',
        fontSize: 11,
        fontWeight: 600,
        lineHeight: '18px',
        whiteSpace: 'nowrap',
        ...looks[tone],
      }}
    >
      {children}
    </Box>
  )
}
