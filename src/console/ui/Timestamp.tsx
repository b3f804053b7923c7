import { Store, useStore } from '@tanstack/react-store'
import { useEffect } from 'react'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago, or until: "3 min. ago". Milliseconds since the epoch. */
export function formatTimeAgo(time: number, now: number): string {
  const seconds = (time - now) / 1000
  const unit = units.find(([, length]) => Math.abs(seconds) >= length)
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : relative.format(0, 'second')
}

/** One shared clock for all timestamps of the page. */
const clock = new Store(Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The time, epoch milliseconds, renewed every 30 seconds. */
export function useNow(): number {
  useEffect(() => {
    watchers += 1
    timer ??= setInterval(() => clock.setState(() => Date.now()), 30_000)
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
    <time dateTime={iso} title={absolute.format(time)}>
      {formatTimeAgo(time, now)}
    </time>
  )
}
