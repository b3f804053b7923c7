/** One chart query whose buckets are the windows of an alert, or add up to them. */
import {
  granularities,
  granularitySeconds,
  maxBuckets,
  maxGroupBy,
  maxSeries,
  type ChartQuery,
  type ChartSeries,
} from '#contract/stack/charts.ts'
import type { AlertQuerySeries, AlertSeriesQuery } from '#domain/alerting/alertQuery.ts'
import { windowLength, windowPhase, type AlertWindow, type Schedule } from '#domain/alerting/schedule.ts'
import type { Span } from '#domain/time/span.ts'
import { combinationOf } from '../series/combineBuckets.ts'
import { allConditions } from '../conditions/allConditions.ts'
import { unavailable, type Unavailable } from './unavailable.ts'

export interface WatchedRequest {
  kind: 'request'
  query: ChartQuery
  alertQuery: AlertSeriesQuery
  /** All windows of the range, oldest first. */
  windows: AlertWindow[]
  /** Length of a bucket, milliseconds. A window is one bucket, or several that are combined. */
  bucketMs: number
  /** The range was shortened because of the limits of chart queries: the range that was requested, epoch milliseconds. */
  shortenedFrom: number | null
}

interface Wanted {
  alertQuery: AlertSeriesQuery
  schedule: Schedule
  /** Epoch milliseconds. The windows that have ended by `to`. */
  range: Span
  /** The source on the connection that answers. */
  sourceId: string
  /** Only so many groups, the largest, where the deployment ranks them: for what is drawn, and not evaluated. */
  topGroups?: number | undefined
}

export function watchedRequest({
  alertQuery,
  schedule,
  range,
  sourceId,
  topGroups,
}: Wanted): WatchedRequest | Unavailable {
  const series = chartSeries(alertQuery, sourceId)
  if (!Array.isArray(series)) return series
  const buckets = bucketsOf(alertQuery, schedule)
  if ('kind' in buckets) return buckets
  const { length, granularity, bucketMs } = buckets
  const all = windowsIn(range, length, windowPhase(schedule))
  const most = Math.floor((maxBuckets * bucketMs) / length)
  const windows = all.slice(-most)
  const [first] = windows
  const last = windows.at(-1)
  if (!first || !last) return unavailable('windows', 'The range is shorter than one window.')
  return {
    kind: 'request',
    // Both ends of a range belong to it: rows at the very end are a bucket of their own, which belongs to no window.
    query: {
      startTime: first.start,
      endTime: last.end,
      granularity,
      series,
      ...(topGroups !== undefined && alertQuery.groupBy.length > 0 && { topGroups }),
    },
    alertQuery,
    windows,
    bucketMs,
    shortenedFrom: windows.length < all.length ? range.from : null,
  }
}

function windowsIn({ from, to }: Span, length: number, phase: number): AlertWindow[] {
  const windows: AlertWindow[] = []
  const last = phase + Math.floor((to - phase) / length) * length
  for (let end = phase + (Math.ceil((from - phase) / length) + 1) * length; end <= last; end += length) {
    windows.push({ start: end - length, end })
  }
  return windows
}

/** The longest buckets that windows consist of. Charts have buckets at multiples of their length since 1970. */
function bucketsOf({ series }: AlertSeriesQuery, schedule: Schedule) {
  const length = windowLength(schedule)
  if (length === null) return unavailable('windows', `The interval ${schedule.interval} is not known.`)
  const phase = windowPhase(schedule)
  const fits = (bucketMs: number) => length % bucketMs === 0 && phase % bucketMs === 0
  const granularity = granularities.findLast((candidate) => fits(milliseconds(candidate)))
  if (!granularity) {
    return unavailable(
      'windows',
      'The windows do not begin where buckets of charts begin. Start them at a full minute.',
    )
  }
  const bucketMs = milliseconds(granularity)
  if (bucketMs < length && !series.every(addsUp)) {
    return unavailable(
      'windows',
      'With this offset or start, a window is not one bucket of a chart, and its value cannot be put together from several.',
    )
  }
  return { length, granularity, bucketMs }
}

const milliseconds = (granularity: (typeof granularities)[number]) => granularitySeconds(granularity, 0, 0) * 1000

/** Whether the value of a window is exactly that of its buckets put together. */
function addsUp({ aggFn, metricName, metricDataType }: AlertQuerySeries): boolean {
  if (metricName || metricDataType) return metricDataType === 'sum' && (aggFn === 'sum' || aggFn === 'increase')
  return aggFn !== 'any' && combinationOf({ aggFn }).exact
}

function chartSeries({ series, groupBy }: AlertSeriesQuery, sourceId: string): ChartSeries[] | Unavailable {
  if (series.length > maxSeries || groupBy.length > maxGroupBy) {
    return unavailable('limits', `A chart query has at most ${maxSeries} series and ${maxGroupBy} group columns.`)
  }
  const charted: ChartSeries[] = []
  for (const { conditions, ...rest } of series) {
    const condition = allConditions(conditions)
    if ('problem' in condition) {
      return condition.problem === 'languages'
        ? unavailable('languages', 'The condition and its filters are in two languages. A chart query has only one.')
        : unavailable('condition', `The condition cannot be read: ${condition.condition.text}`)
    }
    charted.push({ ...rest, sourceId, groupBy: [...groupBy], where: condition.text, whereLanguage: condition.language })
  }
  return charted
}
