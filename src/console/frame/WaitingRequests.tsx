import { Hourglass } from 'lucide-react'
import type { RateLimit } from '#console/api/rateLimit.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { counted } from '#domain/text/words.ts'
import { hint } from '#console/ui/hint/hint.ts'
import { useSecondsUntil } from '#console/ui/useSecondsUntil.ts'
import * as css from './frame.module.css'

/**
 * Shows that requests wait for the rate limit of the connection's key, and for how long. It is in the top bar because it comes
 * and goes while a page loads: nothing on the page may move under the pointer.
 */
export function WaitingRequests({ rateLimit }: { rateLimit: RateLimit }) {
  const left = useSecondsUntil(rateLimit.nextAt)
  const { waiting, remaining, limit } = rateLimit
  const why =
    remaining > 0
      ? `Rate limit of this key nearly reached: the last ${remaining} of ${limit} requests are reserved for your own actions.`
      : `Rate limit of this key reached: 0 of ${limit} requests left.`
  const next = left > 0 ? `next in ${left} s` : 'next now'
  return (
    <div {...hint(`${why} ${counted(waiting, 'request')} waiting, ${next}.`)} className={css.waitingRequests}>
      <Hourglass size={13} aria-hidden className={css.icon} />
      <VisuallyHidden live="polite">{why}</VisuallyHidden>
      {/* A screen reader must not count along. */}
      <span role="timer" aria-live="off">
        {waiting}
        <span className={css.waitingWords}> waiting, {next}</span>
      </span>
    </div>
  )
}
