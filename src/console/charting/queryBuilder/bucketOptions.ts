import { granularities, granularitySeconds } from '#contract/stack/charts.ts'
import { formatDuration } from '#console/ui/time/formatLength.ts'

/** Bucket lengths to choose from. `autoMs`: what the automatic one is just now, milliseconds; undefined if it is not known. */
export function bucketOptions(autoMs: number | undefined) {
  return [
    { value: 'auto' as const, label: autoMs === undefined ? 'Auto' : `Auto: ${formatDuration(autoMs)}` },
    ...granularities.map((value) => ({ value, label: formatDuration(granularitySeconds(value, 0, 0) * 1000) })),
  ]
}
