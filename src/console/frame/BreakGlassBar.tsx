import { visibleText } from '#domain/text/visibleText.ts'
import { Siren } from 'lucide-react'
import { endBreakGlass } from '#console/api/gateway/approvals.ts'
import { Button } from '#console/ui/base/Button.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { CountdownBar } from './CountdownBar.tsx'
import * as css from './frame.module.css'

interface BreakGlassBarProps {
  connection: Connection
  breakGlass: NonNullable<Connection['breakGlass']>
}

/** Says who changes a connection without approval, and why, and offers to end it. */
export function BreakGlassBar({ connection, breakGlass }: BreakGlassBarProps) {
  const { actor, reason, endsAt, isMine } = breakGlass
  return (
    <CountdownBar
      label="Break-glass"
      icon={<Siren size={14} aria-hidden className={css.icon} />}
      until={endsAt}
      before={
        <span className={css.userText}>
          <strong>Break-glass</strong> on {visibleText(connection.name)}:{' '}
          {isMine ? 'you change' : `${visibleText(actor)} changes`} it without approval for
        </span>
      }
      after={<span className={css.userText}>. {reason}</span>}
      endsSoon="Changes need approval again in less than a minute."
      action={
        !connection.writesRefused && (
          <Button className={css.countdownAction} onClick={() => void endBreakGlass(connection.id).catch(toastFailure)}>
            End it now
          </Button>
        )
      }
    />
  )
}
