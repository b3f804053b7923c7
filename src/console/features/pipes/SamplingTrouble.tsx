import Button from '@mui/material/Button'
import { errorWords } from '#console/api/errors.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { Sampled } from './metrics/usePipeSamples.ts'
import { paceWords } from './SamplingNote.tsx'

/** Why rates, latencies and errors of a list are old or not there; nothing where all is well. */
export function SamplingTrouble({ sampled: { state, error, retry } }: { sampled: Sampled }) {
  if (!error && (!state || state.slowed === null)) return null
  return (
    <Notice
      tone={error ? 'warning' : 'info'}
      role="status"
      action={error && <Button onClick={retry}>Try again</Button>}
    >
      {error && `Throughput, latency and errors are not up to date: ${errorWords(error).sentence} `}
      {state && paceWords(state)}
    </Notice>
  )
}
