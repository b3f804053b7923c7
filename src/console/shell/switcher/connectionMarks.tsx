/** How a connection is told apart wherever it is named: colour and word, variant, lock. */
import Box from '@mui/material/Box'
import { LockKeyhole } from 'lucide-react'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/connections.ts'

export const variantWord = (connection: Pick<Connection, 'variant'>) =>
  connection.variant === 'managed' ? 'managed' : 'open source'

export function ConnectionDot({ color }: { color: Connection['color'] }) {
  return (
    <Box
      component="span"
      aria-hidden
      sx={{ width: 8, height: 8, borderRadius: 9, flexShrink: 0, bgcolor: `tone.connection.${color}` }}
    />
  )
}

export function ConnectionMarks({ connection }: { connection: Connection }) {
  return (
    <>
      {connection.environment && (
        <StatusChip tone={connection.color === 'red' ? 'bad' : 'neutral'}>{connection.environment}</StatusChip>
      )}
      {connection.readOnly && (
        <Box
          component="span"
          sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, flexShrink: 0, fontSize: 11 }}
        >
          <LockKeyhole size={13} aria-hidden />
          read-only
        </Box>
      )}
    </>
  )
}
