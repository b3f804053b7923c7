import { formatError } from '#console/api/errors.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { Sampling } from './useSamples.ts'
import { clock } from './SamplingNote.tsx'
import { Button } from '#console/ui/base/Button.tsx'

/** Why the metrics are missing or out of date. Renders nothing if the last poll succeeded. */
export function SamplingErrorNotice({ sampling: { state, error, retry } }: { sampling: Sampling<unknown> }) {
  if (!error) return null
  const since = state?.at ? ` since ${clock.format(state.at)}` : ''
  return (
    <Notice tone="warning" role="status" action={<Button onClick={retry}>Try again</Button>}>
      Metrics could not be updated{since}: {formatError(error).sentence}
    </Notice>
  )
}
