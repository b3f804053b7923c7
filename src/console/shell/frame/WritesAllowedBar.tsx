import { useQuery } from '@tanstack/react-query'
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react'
import { useEffect } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { useSecondsUntil } from '#console/ui/useSecondsUntil.ts'
import type { Connection } from '#contract/connections.ts'
import { makeReadOnly } from '../stage/readOnly.ts'
import { StageChip } from '../stage/StageChip.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import bar from './frameBar.module.css'
import css from './WritesAllowedBar.module.css'

/** Polling interval of the connections while writes are allowed, in milliseconds: others can lock them again. */
const pollInterval = 15_000

/** Says on every page that a production connection takes writes, for how long yet, and offers to end it. */
export function WritesAllowedBar({ connection, until }: { connection: Connection; until: string }) {
  useQuery({ ...connectionsQuery, refetchInterval: pollInterval })
  const left = useSecondsUntil(Date.parse(until))
  const over = left === 0
  useEffect(() => {
    if (!over) return
    // The server decides about the end, and its clock may differ.
    const refresh = () => void queryClient.invalidateQueries(connectionsQuery)
    refresh()
    const timer = setInterval(refresh, 1000)
    return () => clearInterval(timer)
  }, [over])
  return (
    <section aria-label="Writes allowed" className={bar.bar} data-tone="bad">
      <LockKeyholeOpen size={14} aria-hidden style={{ flexShrink: 0 }} />
      <span className={css.stage}>
        <StageChip stage={connection.stage} />
      </span>
      <span className={bar.message}>
        <span className={css.connectionName}>{connection.name}: </span>
        writes allowed for {/* A screen reader must not count along. */}
        <strong role="timer" aria-live="off">
          {formatClock(left)}
        </strong>
        <VisuallyHidden live="polite">
          {left > 0 && left <= 60 ? 'Read-only again in less than a minute.' : ''}
        </VisuallyHidden>
      </span>
      <Button
        className={css.lock}
        startIcon={<LockKeyhole size={14} aria-hidden />}
        onClick={() => void makeReadOnly(connection)}
      >
        Make read-only now
      </Button>
    </section>
  )
}

/** "14:05". */
export function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
