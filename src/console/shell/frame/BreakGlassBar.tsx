import { useQuery } from '@tanstack/react-query'
import { Siren } from 'lucide-react'
import { useEffect } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { endBreakGlass } from '#console/api/gateway/approvals.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { useSecondsUntil } from '#console/ui/useSecondsUntil.ts'
import type { Connection } from '#contract/connections.ts'
import { toastFailure } from '../messages/toastFailure.ts'
import bar from './frameBar.module.css'
import css from './WritesAllowedBar.module.css'
import { formatClock } from './WritesAllowedBar.tsx'

/** Milliseconds between two reads of the connections: others can end it. */
const pollInterval = 15_000

interface BreakGlassBarProps {
  connection: Connection
  breakGlass: NonNullable<Connection['breakGlass']>
}

/** Says to everybody who changes a connection without approval, why and for how long yet, and offers to end it. */
export function BreakGlassBar({ connection, breakGlass }: BreakGlassBarProps) {
  const { actor, reason, endsAt, isMine } = breakGlass
  useQuery({ ...connectionsQuery, refetchInterval: pollInterval })
  const left = useSecondsUntil(Date.parse(endsAt))
  const over = left === 0
  useEffect(() => {
    if (!over) return
    const refresh = () => void queryClient.invalidateQueries(connectionsQuery)
    refresh()
    const timer = setInterval(refresh, 1000)
    return () => clearInterval(timer)
  }, [over])
  return (
    <section aria-label="Break-glass" className={bar.bar} data-tone="bad">
      <Siren size={14} aria-hidden style={{ flexShrink: 0 }} />
      <span className={bar.message}>
        <span className={css.connectionName}>
          <strong>Break-glass</strong> on {connection.name}: {isMine ? 'you change' : `${actor} changes`} it without
          approval for{' '}
          <strong role="timer" aria-live="off">
            {formatClock(left)}
          </strong>
          . {reason}
        </span>
      </span>
      {!connection.writesRefused && (
        <Button className={css.lock} onClick={() => void endBreakGlass(connection.id).catch(toastFailure)}>
          End it now
        </Button>
      )}
    </section>
  )
}
