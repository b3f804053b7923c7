import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { useSecondsUntil } from '#console/ui/useSecondsUntil.ts'
import * as css from './frame.module.css'

/** Milliseconds between two reads of the connections: others can end the state earlier. */
const pollInterval = 15_000

interface CountdownBarProps {
  label: string
  icon: ReactNode
  /** The end of the state, as an ISO text. */
  until: string
  /** The texts before and after the time that is left. */
  before: ReactNode
  after?: ReactNode
  /** Announced in the last minute. */
  endsSoon: string
  /** Ends the state. */
  action: ReactNode
}

/** Says on every page that a connection is in a dangerous state, and for how long. */
export function CountdownBar({ label, icon, until, before, after, endsSoon, action }: CountdownBarProps) {
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
    <section aria-label={label} className={css.frameBar}>
      {icon}
      <span className={css.frameBarMessage}>
        {before} {/* A screen reader must not count along. */}
        <strong role="timer" aria-live="off">
          {formatClock(left)}
        </strong>
        {after}
        <VisuallyHidden live="polite">{left > 0 && left <= 60 ? endsSoon : ''}</VisuallyHidden>
      </span>
      {action}
    </section>
  )
}

/** "14:05". */
function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
