import Button from '@mui/material/Button'
import { formatError } from '#console/api/errors.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { PipeSampling } from './usePipeSamples.ts'
import { clock } from './SamplingNote.tsx'

interface SamplingErrorNoticeProps {
  sampling: PipeSampling
  /** What is old or missing: "Load, throughput, latency and errors are". */
  what: string
}

/** Why figures are old or not there; nothing where the last look went as it should. */
export function SamplingErrorNotice({ sampling: { state, error, retry }, what }: SamplingErrorNoticeProps) {
  if (!error) return null
  const since = state?.at ? ` since ${clock.format(state.at)}` : ''
  return (
    <Notice tone="warning" role="status" action={<Button onClick={retry}>Try again</Button>}>
      {what} not up to date{since}: {formatError(error).sentence}
    </Notice>
  )
}
