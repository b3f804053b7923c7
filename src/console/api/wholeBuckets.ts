/** Ranges that begin with a whole bucket: half of one would look like a rise from nothing. */
import { granularities, granularitySeconds, type ChartQuery } from '#contract/charts.ts'

interface Range {
  /** Epoch milliseconds. */
  from: number
  to: number
}

type Granularity = NonNullable<ChartQuery['granularity']>

export interface WholeBuckets {
  span: Range
  granularity: Granularity
  /** Length of a bucket, milliseconds. */
  bucketMs: number
}

/**
 * The range from the beginning of its first bucket. The bucket length is named then, because a longer range may get another one
 * by itself; fifteen seconds have no name that could be asked for, so there the range stays as it is.
 */
export function withWholeBuckets(span: Range, granularity: Granularity): WholeBuckets {
  const seconds = granularitySeconds(granularity, span.from, span.to)
  const bucketMs = seconds * 1000
  const named =
    granularity === 'auto' ? granularities.find((one) => granularitySeconds(one, 0, 0) === seconds) : granularity
  if (named === undefined) return { span, granularity, bucketMs }
  return { span: { from: Math.floor(span.from / bucketMs) * bucketMs, to: span.to }, granularity: named, bucketMs }
}

/** How much earlier the period before a span lies: whole buckets, at least the length of the span. Milliseconds. */
export const periodBefore = ({ from, to }: Range, bucketMs: number): number =>
  Math.ceil((to - from) / bucketMs) * bucketMs
