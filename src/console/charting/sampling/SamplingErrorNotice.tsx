import { formatError } from '#console/api/errors.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { formatClock } from '#console/ui/time/formatTime.ts'
import type { Sampling } from './useSamples.ts'
import { Button } from '#console/ui/base/Button.tsx'

/** Why the metrics are missing or out of date. Renders nothing if the last poll succeeded. */
export function SamplingErrorNotice({ sampling: { state, error, retry } }: { sampling: Sampling<unknown> }) {
  if (!error) return null
  const since = state?.at ? ` since ${formatClock(state.at)}` : ''
  return (
    <Notice tone="warning" role="status" action={<Button onClick={retry}>Try again</Button>}>
      Metrics could not be updated{since}: {formatError(error).sentence}
    </Notice>
  )
}
