/** The answer of a chart query as windows of an alert, with the values that the evaluator would read. */
import type { ChartPoint } from '#contract/charts.ts'
import { LosslessNumber } from '#contract/json.ts'
import type { WindowValues } from '#domain/alerting/evaluateWindow.ts'
import { ExecutionError } from '#domain/alerting/executionError.ts'
import { Tally } from '#domain/alerting/tally.ts'
import { combinationOf, combineBuckets } from '../combineBuckets.ts'
import { numberOf } from '../groupValues.ts'
import { unavailable, type Unavailable } from './unavailable.ts'
import type { WatchedRequest } from './watchedRequest.ts'

export interface WatchedWindows {
  kind: 'windows'
  /** All windows of the range, oldest first. Without values, no row matched. */
  windows: WindowValues[]
  grouped: boolean
}

/** One group in a window: for each series, its values by bucket. */
interface Cell {
  start: number
  group: unknown[]
  series: Map<number, unknown>[]
}

export function watchedWindows(request: WatchedRequest, points: readonly ChartPoint[]): WatchedWindows | Unavailable {
  const { alertQuery, windows, bucketMs } = request
  const [first] = windows
  const length = first ? first.end - first.start : bucketMs
  const origin = first?.start ?? 0
  const end = windows.at(-1)?.end ?? 0
  const cells = new Map<string, Cell>()
  for (const point of points) {
    if (point.ts_bucket >= end || point.ts_bucket <= origin - bucketMs) continue
    if ((point.ts_bucket - origin) % bucketMs !== 0) {
      return unavailable('windows', 'The buckets of this API do not begin where the windows of the alert begin.')
    }
    const start = origin + Math.floor((point.ts_bucket - origin) / length) * length
    const group = (point.group ?? []).map(plain)
    const key = `${start} ${JSON.stringify(group)}`
    const cell = cells.get(key) ?? { start, group, series: alertQuery.series.map(() => new Map<number, unknown>()) }
    cells.set(key, cell)
    alertQuery.series.forEach((_, at) => {
      const value = point[`series_${at}.data`]
      if (value !== undefined) cell.series[at]?.set(point.ts_bucket, plain(value))
    })
  }
  return tallied(request, cells.values())
}

function tallied({ alertQuery, windows, bucketMs }: WatchedRequest, cells: Iterable<Cell>) {
  const tally = new Tally(alertQuery, windows)
  try {
    for (const { start, group, series } of cells) {
      tally.add(
        start,
        group,
        series.map((values, at) => valueOf(values, alertQuery.series[at]?.aggFn ?? 'count', bucketMs)),
      )
    }
  } catch (error) {
    if (error instanceof ExecutionError) return unavailable('value', error.message)
    throw error
  }
  return { kind: 'windows' as const, ...tally.reading }
}

/** The value of a series in a window; undefined without rows. */
function valueOf(values: ReadonlyMap<number, unknown>, aggFn: string, bucketMs: number): unknown {
  if (values.size <= 1) return [...values.values()][0]
  const numbers = new Map([...values].map(([time, value]) => [time, numberOf(value)]))
  const times = [...values.keys()]
  const span = { from: Math.min(...times), to: Math.max(...times) + bucketMs }
  return combineBuckets(numbers, combinationOf({ aggFn }), { bucketMs, span })
}

/** A value as the evaluator sees it: 64-bit numbers come as text. */
const plain = (value: unknown): unknown => (value instanceof LosslessNumber ? value.value : value)
