/** How a connection is told apart wherever it is named: stage, variant, lock. */
import Box from '@mui/material/Box'
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react'
import type { Connection } from '#contract/connections.ts'
import { StageChip } from '../stage/StageChip.tsx'

export const variantWord = (connection: Pick<Connection, 'variant'>) =>
  connection.variant === 'managed' ? 'managed' : 'open source'

/** The stage, and whether writes are refused. */
export function ConnectionMarks({ connection }: { connection: Connection }) {
  return (
    <>
      <StageChip stage={connection.stage} />
      {connection.readOnly && <Lock Icon={LockKeyhole} words="read-only" />}
      {connection.readOnlyLiftedUntil && <Lock Icon={LockKeyholeOpen} words="writes allowed" />}
    </>
  )
}

function Lock({ Icon, words }: { Icon: typeof LockKeyhole; words: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, flexShrink: 0, fontSize: 11 }}>
      <Icon size={13} aria-hidden />
      {words}
    </Box>
  )
}
