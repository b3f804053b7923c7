/** Aligns ranges to buckets: a partial first bucket would look like a rise from zero. */
import { granularities, granularitySeconds, type ChartQuery } from '#contract/stack/charts.ts'
import type { Alignment } from '#contract/stack/chartAlignment.ts'
import type { Span } from '#domain/time/span.ts'
import { bucketEnd, bucketStart, timezoneOf } from '#domain/time/localBuckets.ts'
import type { Zone } from '#domain/time/zone.ts'

type Granularity = NonNullable<ChartQuery['granularity']>

export interface AlignedRange {
  span: Span
  granularity: Granularity
  /** Length of a bucket, milliseconds. */
  bucketMs: number
  /** The zone of the query in which its buckets start, if that is not UTC. */
  timezone?: string
  /** End of the query, where that is later than the span: epoch milliseconds. */
  end?: number
}

/** The range and buckets of a query over a span. */
export function alignedRange({ kind, granularity, zone, exact = false }: Alignment, span: Span): AlignedRange {
  switch (kind) {
    case 'buckets':
      return alignToBuckets(span, granularity, zone)
    case 'metricBuckets':
      return alignMetricBuckets(span, granularity, zone)
    case 'metricTotal':
      return alignTotalBuckets(span, exact)
    case 'total':
    case 'none': {
      const own = kind === 'total' ? totalGranularity(span) : granularity
      return { span, granularity: own, bucketMs: granularitySeconds(own, span.from, span.to) * 1000 }
    }
  }
}

/** The times of a query, or of the same query so many milliseconds earlier. */
export function queryTimes({ span: { from, to }, end = to }: AlignedRange, earlier: number) {
  return { startTime: from - earlier, endTime: end - earlier }
}

/**
 * The range from the start of its first bucket. The bucket length is then explicit, because a longer range may get
 * another one by default; fifteen seconds cannot be requested explicitly, so there the range starts with the next
 * bucket.
 */
export function alignToBuckets(span: Span, granularity: Granularity, zone: Zone): AlignedRange {
  const { bucketMs, named } = bucketsOf(span, granularity)
  if (named) return alignedFrom(span, named, bucketMs, zone)
  const from = ceil(span.from, bucketMs)
  return { span: from < span.to ? { from, to: span.to } : span, granularity, bucketMs }
}

/**
 * The range of a query of metrics, with both ends between buckets. Deployments bucket metrics before they cut the range: a
 * bucket that begins before the range is left out, and the last one is complete.
 */
export function alignMetricBuckets(span: Span, granularity: Granularity, zone: Zone): AlignedRange {
  const { bucketMs, named } = bucketsOf(span, granularity)
  if (!named) return alignMetricBuckets(span, '30s', zone)
  const aligned = alignedFrom(span, named, bucketMs, zone)
  // Both ends belong to the range: one millisecond later there would be one bucket more.
  const last = Math.max(span.to - 1, aligned.span.from)
  return { ...aligned, end: bucketEnd(bucketStart(last, bucketMs, zone), bucketMs, zone) - 1 }
}

/** The range from the start of its first bucket, by the clock of the zone. */
function alignedFrom({ from, to }: Span, granularity: Granularity, bucketMs: number, zone: Zone): AlignedRange {
  const timezone = timezoneOf(bucketMs, zone)
  const span = { from: bucketStart(from, bucketMs, zone), to }
  return { span, granularity, bucketMs, ...(timezone !== undefined && { timezone }) }
}

/** Buckets of a total that follows from them, and of one that they only come near to: too short ones would lack time series. */
const maxTotalBuckets = { exact: 200, near: 60 }
const minApproximateSeconds = 60

/** The buckets from which a total of metrics is put together. */
export function alignTotalBuckets(span: Span, exact: boolean): AlignedRange {
  const most = exact ? maxTotalBuckets.exact : maxTotalBuckets.near
  const fits = (granularity: Granularity) => {
    const seconds = granularitySeconds(granularity, 0, 0)
    return (exact || seconds >= minApproximateSeconds) && span.to - span.from <= most * seconds * 1000
  }
  return alignMetricBuckets(span, granularities.find(fits) ?? granularities.at(-1)!, 'utc')
}

/** The bucket length with which a range has as few buckets as can be: one, or else those of the longest. */
export function totalGranularity({ from, to }: Span): Granularity {
  const oneBucket = granularities.find((granularity) => {
    const length = granularitySeconds(granularity, from, to) * 1000
    return Math.floor(from / length) === Math.floor(to / length)
  })
  return oneBucket ?? granularities.at(-1)!
}

function bucketsOf({ from, to }: Span, granularity: Granularity) {
  const seconds = granularitySeconds(granularity, from, to)
  const sameLength = (candidate: Granularity) => granularitySeconds(candidate, 0, 0) === seconds
  const named = granularity === 'auto' ? granularities.find(sameLength) : granularity
  return { bucketMs: seconds * 1000, named }
}

const ceil = (time: number, step: number): number => Math.ceil(time / step) * step

/** How much earlier the period before a span lies: whole buckets, at least the length of the span. Milliseconds. */
export const previousPeriodOffset = ({ from, to }: Span, bucketMs: number): number =>
  Math.ceil((to - from) / bucketMs) * bucketMs

/** Whether one of some queries reads metrics, which are answered in whole buckets. */
export const readsWholeBuckets = (queries: readonly Pick<ChartQuery, 'series'>[]): boolean =>
  queries.some(({ series }) => series.some(({ metricName }) => metricName !== undefined))
