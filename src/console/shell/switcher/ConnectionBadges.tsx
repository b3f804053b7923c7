/** Badges of a connection wherever it is named: stage, variant, read-only. */
import Box from '@mui/material/Box'
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import type { Connection } from '#contract/connections.ts'
import { StageChip } from '../stage/StageChip.tsx'

export const formatVariant = (connection: Pick<Connection, 'variant'>) =>
  connection.variant === 'managed' ? 'managed' : 'open source'

interface ConnectionBadgesProps {
  connection: Connection
  /** On phones the lock is a sign alone, which screen readers still read. */
  compact?: boolean
}

/** The stage, and whether writes are refused. */
export function ConnectionBadges({ connection, compact = false }: ConnectionBadgesProps) {
  return (
    <>
      <StageChip stage={connection.stage} />
      {connection.readOnly && <Lock Icon={LockKeyhole} words="read-only" compact={compact} />}
      {connection.readOnlyLiftedUntil && <Lock Icon={LockKeyholeOpen} words="writes allowed" compact={compact} />}
    </>
  )
}

interface LockProps {
  Icon: typeof LockKeyhole
  words: string
  compact: boolean
}

function Lock({ Icon, words, compact }: LockProps) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, flexShrink: 0, fontSize: 11 }}>
      <Icon size={13} aria-hidden />
      <Box component="span" sx={{ display: { xs: compact ? 'none' : 'inline', sm: 'inline' } }}>
        {words}
      </Box>
      {compact && (
        <Box component="span" sx={{ display: { sm: 'none' } }}>
          <VisuallyHidden>{words}</VisuallyHidden>
        </Box>
      )}
    </Box>
  )
}
