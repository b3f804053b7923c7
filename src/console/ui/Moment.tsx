import Tooltip from '@mui/material/Tooltip'
import { useEffect, useState } from 'react'

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
export function ago(time: number, now: number): string {
  const seconds = (time - now) / 1000
  const unit = units.find(([, length]) => Math.abs(seconds) >= length)
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : relative.format(0, 'second')
}

/** A moment as distance from now, its exact time on hover and for machines. Nothing for what is no moment. */
export function Moment({ iso }: { iso: string | null | undefined }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const time = Date.parse(iso ?? '')
  if (!iso || Number.isNaN(time)) return null
  return (
    <Tooltip title={absolute.format(time)}>
      <time dateTime={iso}>{ago(time, now)}</time>
    </Tooltip>
  )
}
