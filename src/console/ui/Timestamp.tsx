import { Store, useStore } from '@tanstack/react-store'
import { useEffect } from 'react'
import { formatDatedMoment, formatTimeAgo } from './time/formatTime.ts'

/** One shared clock for all timestamps of the page. */
const clock = new Store(Date.now())
const tick = () => clock.setState(() => Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The time, epoch milliseconds, renewed every 30 seconds. */
export function useNow(): number {
  useEffect(() => {
    watchers += 1
    if (timer === undefined) {
      // It stood still while no time was shown.
      tick()
      timer = setInterval(tick, 30_000)
    }
    return () => {
      watchers -= 1
      if (watchers > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return useStore(clock)
}

/** A relative time with the exact time on hover. Renders nothing for an invalid time. */
export function Timestamp({ iso }: { iso: string | null | undefined }) {
  const now = useNow()
  const time = Date.parse(iso ?? '')
  if (!iso || Number.isNaN(time)) return null
  return (
    <time dateTime={iso} title={formatDatedMoment(time, 'local', 'second')}>
      {formatTimeAgo(time, now)}
    </time>
  )
}
