/** Badges of a connection wherever it is named: stage, variant, read-only. */
import { LockKeyhole, LockKeyholeOpen, UserRoundCheck } from 'lucide-react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { StageChip } from '#console/shell/stage/StageChip.tsx'
import * as css from '../navigation/navigation.module.css'

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
      {connection.twoPersonApproval && <Lock Icon={UserRoundCheck} words="two-person approval" compact={compact} />}
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
    <span className={css.lock}>
      <Icon size={13} aria-hidden />
      <span className={compact ? css.connectionBadgesWide : undefined}>{words}</span>
      {compact && (
        <span className={css.narrow}>
          <VisuallyHidden>{words}</VisuallyHidden>
        </span>
      )}
    </span>
  )
}
