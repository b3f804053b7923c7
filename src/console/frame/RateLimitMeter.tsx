import { useEffect, useState } from 'react'
import { fetchRateLimit, useRateLimit, type RateLimit } from '#console/api/rateLimit.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useSecondsUntil } from '#console/ui/useSecondsUntil.ts'
import { hint } from '#console/ui/hint/hint.ts'
import * as css from './frame.module.css'

const WaitingRequests = lazyComponent(async () => (await import('./WaitingRequests.tsx')).WaitingRequests)

/** The part of the budget below which it is in sight. */
const scarce = 0.3

/** Shows how many requests the key of the connection has left once they are few, and those of its pages that wait for more. */
export function RateLimitMeter() {
  const { connection, inAddress } = useFrameConnection()
  const id = connection?.id
  const rateLimit = useRateLimit(id)
  useEffect(() => {
    // Before the first response, which may have to wait for the rate limit.
    if (id !== undefined) void fetchRateLimit(id)
  }, [id])
  if (!rateLimit) return null
  return (
    <>
      {inAddress && rateLimit.waiting > 0 && <WaitingRequests rateLimit={rateLimit} />}
      <Meter rateLimit={rateLimit} />
    </>
  )
}

function Meter({ rateLimit }: { rateLimit: RateLimit }) {
  const full = useFullAgain(rateLimit.resetAt)
  const left = full ? rateLimit.limit : rateLimit.remaining
  const share = rateLimit.limit === 0 ? 0 : left / rateLimit.limit
  const color = share > 0.1 ? 'var(--warn)' : 'var(--bad)'
  const next = useSecondsUntil(left === 0 ? rateLimit.nextAt : 0)
  if (share >= scarce) return null
  const words = `${left} of ${rateLimit.limit} requests left for this key`
  return (
    <div
      {...hint(`${words}. Background requests wait first when few are left.`)}
      role="meter"
      aria-label="Rate limit"
      aria-valuemin={0}
      aria-valuemax={rateLimit.limit}
      aria-valuenow={left}
      aria-valuetext={words}
      className={css.meter}
    >
      <span className={css.meterWords}>Rate limit</span>
      <div className={css.gauge}>
        <div className={css.meterLeft} style={{ width: `${share * 100}%`, backgroundColor: color }} />
      </div>
      {left} of {rateLimit.limit}
      {next > 0 && `, next in ${next} s`}
    </div>
  )
}

/** Whether the reset time has passed. */
function useFullAgain(resetAt: number): boolean {
  const [passed, setPassed] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(resetAt), Math.max(0, resetAt - Date.now()))
    return () => clearTimeout(timer)
  }, [resetAt])
  return passed === resetAt
}
