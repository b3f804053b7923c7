import type { SamplingState, Slowed } from '#contract/console/sampling/pipeSamples.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { formatClock } from '#console/ui/time/formatTime.ts'
import * as css from '../charting.module.css'
import { formatError } from '#console/api/errors.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { Sampling } from './useSamples.ts'
import { Button } from '#console/ui/base/Button.tsx'

/** The time ranges of the charts and their bucket lengths, milliseconds. */
export const sampleRanges = [
  { label: '30 min', ms: 30 * 60_000, step: 5_000 },
  { label: '2 h', ms: 2 * 3_600_000, step: 20_000 },
] as const
export type SampleRange = (typeof sampleRanges)[number]

interface SamplingNoteProps {
  state: Pick<SamplingState, 'pace' | 'slowed'>
  /** The time of the oldest sample, epoch milliseconds. */
  since: number | undefined
  range: SampleRange
  onRange: (range: SampleRange) => void
}

/** The sampling interval, the age of the oldest sample, and the choice of the time range. */
export function SamplingNote({ state, since, range, onRange }: SamplingNoteProps) {
  return (
    <div className={css.samplingNote}>
      <Text color="textSecondary" className={css.samplingNoteMessage}>
        {formatSamplingInterval(state)}
        {since !== undefined && ` Oldest sample: ${formatClock(since)}.`}
      </Text>
      <ToggleButtons
        label="Time range"
        value={range.label}
        options={sampleRanges.map(({ label }) => ({ value: label, label }))}
        onChange={(label) => onRange(sampleRanges.find((sampleRange) => sampleRange.label === label) ?? range)}
      />
    </div>
  )
}

/** Room for the note until it is known how often metrics are sampled. */
export const SamplingNotePlace = () => <div className={css.samplingNotePlace} />

const slowReasons: Record<Slowed, string> = {
  limit: 'the API key has a low rate limit',
  budget: 'slowed down because most of the rate limit is used',
  rateLimited: 'slowed down after the deployment reported too many requests',
  failing: 'slowed down until the deployment responds again',
}

/** How often metrics are sampled, and why that is slowed down. */
export function formatSamplingInterval({ pace, slowed }: SamplingNoteProps['state']): string {
  if (pace === null) return 'Sampling has stopped. Try again to resume it.'
  const often = `Metrics are sampled every ${Math.round(pace / 1000)} s while this page is open`
  return slowed ? `${often}: ${slowReasons[slowed]}.` : `${often}.`
}

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
