import Box from '@mui/material/Box'
import { Hourglass } from 'lucide-react'
import type { RateLimit } from '#console/api/rateLimit.ts'
import { counted } from '#console/ui/format.ts'
import { useSecondsUntil } from '#console/ui/useSecondsUntil.ts'
import { frameBarSx } from './frameBarSx.ts'

/** Shows that requests wait for the rate limit of the connection's key, and for how long. */
export function RateLimitBar({ rateLimit }: { rateLimit: RateLimit }) {
  const left = useSecondsUntil(rateLimit.nextAt)
  const { waiting, remaining, limit } = rateLimit
  return (
    <Box sx={{ ...frameBarSx('tone.warnSoft'), py: 1.5 }}>
      <Hourglass size={14} aria-hidden style={{ flexShrink: 0 }} />
      <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <span role="status">
          {remaining > 0
            ? `Rate limit of this key nearly reached: the last ${remaining} of ${limit} requests are reserved for your own actions.`
            : `Rate limit of this key reached: 0 of ${limit} requests left.`}
        </span>{' '}
        {/* A screen reader must not count along. */}
        <span role="timer" aria-live="off">
          {counted(waiting, 'request')} waiting, next {left > 0 ? `in ${left} s` : 'now'}.
        </span>
      </Box>
    </Box>
  )
}
