import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

export type ChipTone = 'ok' | 'warn' | 'bad' | 'accent' | 'neutral'

const Chip = styled('span')(({ theme: { vars } }) => ({
  display: 'inline-block',
  padding: '0 6px',
  borderRadius: 4,
  fontSize: 11,
  fontWeight: 600,
  lineHeight: '18px',
  whiteSpace: 'nowrap',
  '&[data-tone=ok]': { backgroundColor: vars?.palette.tone.okSoft, color: vars?.palette.success.main },
  '&[data-tone=warn]': { backgroundColor: vars?.palette.tone.warnSoft, color: vars?.palette.warning.main },
  '&[data-tone=bad]': { backgroundColor: vars?.palette.tone.badSoft, color: vars?.palette.error.main },
  '&[data-tone=accent]': { backgroundColor: vars?.palette.tone.accentSoft, color: vars?.palette.tone.accentText },
  '&[data-tone=neutral]': { border: `1px solid ${vars?.palette.tone.edge}`, color: vars?.palette.text.secondary },
}))

/** A word on a soft ground. The word carries the meaning, the colour helps the eye. */
export function StatusChip({ tone, children }: { tone: ChipTone; children: ReactNode }) {
  return <Chip data-tone={tone}>{children}</Chip>
}
