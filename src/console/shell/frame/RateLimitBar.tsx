import { Hourglass } from 'lucide-react'
import type { RateLimit } from '#console/api/rateLimit.ts'
import { counted } from '#console/ui/format.ts'
import { useSecondsUntil } from '#console/ui/useSecondsUntil.ts'
import css from './frameBar.module.css'

/** Shows that requests wait for the rate limit of the connection's key, and for how long. */
export function RateLimitBar({ rateLimit }: { rateLimit: RateLimit }) {
  const left = useSecondsUntil(rateLimit.nextAt)
  const { waiting, remaining, limit } = rateLimit
  return (
    <div className={css.bar} data-tone="warn">
      <Hourglass size={14} aria-hidden style={{ flexShrink: 0 }} />
      <span className={css.message}>
        <span role="status">
          {remaining > 0
            ? `Rate limit of this key nearly reached: the last ${remaining} of ${limit} requests are reserved for your own actions.`
            : `Rate limit of this key reached: 0 of ${limit} requests left.`}
        </span>{' '}
        {/* A screen reader must not count along. */}
        <span role="timer" aria-live="off">
          {counted(waiting, 'request')} waiting, next {left > 0 ? `in ${left} s` : 'now'}.
        </span>
      </span>
    </div>
  )
}
