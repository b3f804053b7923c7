/** The answer of a chart query as windows of an alert, with the values that the evaluator would read. */
import type { ChartPoint } from '#contract/stack/charts.ts'
import { LosslessNumber, stringifyJson } from '#contract/wire/json.ts'
import type { WindowValues } from '#domain/alerting/evaluateWindow.ts'
import { ExecutionError } from '#domain/alerting/executionError.ts'
import { Tally } from '#domain/alerting/tally.ts'
import { combinationOf, combineBuckets } from '../series/combineBuckets.ts'
import { numberOf } from '../series/groupValues.ts'
import { unavailable, type Unavailable } from './unavailable.ts'
import type { WatchedRequest } from './watchedRequest.ts'

export interface WatchedWindows {
  kind: 'windows'
  /** All windows of the range, oldest first. Without values, no row matched. */
  windows: WindowValues[]
  grouped: boolean
}

/** One group in a window, with the points of its buckets. */
interface Cell {
  start: number
  group: unknown[]
  points: ChartPoint[]
}

export function watchedWindows(request: WatchedRequest, points: readonly ChartPoint[]): WatchedWindows | Unavailable {
  const { windows, bucketMs } = request
  const [first] = windows
  const length = first ? first.end - first.start : bucketMs
  const origin = first?.start ?? 0
  const end = windows.at(-1)?.end ?? 0
  const cells: Cell[] = []
  const groups = new Map<string, { group: unknown[]; byStart: Map<number, Cell> }>()
  for (const point of points) {
    // An alert has a value of each group.
    if (point.otherGroups !== undefined) continue
    if (point.ts_bucket >= end || point.ts_bucket <= origin - bucketMs) continue
    if ((point.ts_bucket - origin) % bucketMs !== 0) {
      return unavailable('windows', 'The buckets of this API do not begin where the windows of the alert begin.')
    }
    const start = origin + Math.floor((point.ts_bucket - origin) / length) * length
    const key = keyOf(point.group)
    const known = groups.get(key) ?? { group: (point.group ?? []).map(plain), byStart: new Map<number, Cell>() }
    groups.set(key, known)
    const cell = known.byStart.get(start)
    if (cell) {
      cell.points.push(point)
      continue
    }
    const added = { start, group: known.group, points: [point] }
    known.byStart.set(start, added)
    cells.push(added)
  }
  return tallyCells(request, cells)
}

/** There are tens of thousands of points, and most groups are one text: it needs no JSON, which begins with a bracket. */
function keyOf(group: readonly unknown[] = []): string {
  const [only] = group
  return group.length === 1 && typeof only === 'string' ? `"${only}` : stringifyJson(group)
}

function tallyCells({ alertQuery, windows, bucketMs }: WatchedRequest, cells: readonly Cell[]) {
  const tally = new Tally(alertQuery, windows)
  try {
    for (const { start, group, points } of cells) {
      tally.add(
        start,
        group,
        alertQuery.series.map(({ aggFn }, at) => valueOf(points, at, aggFn, bucketMs)),
      )
    }
  } catch (error) {
    if (error instanceof ExecutionError) return unavailable('value', error.message)
    throw error
  }
  return { kind: 'windows' as const, ...tally.reading }
}

/** The value of a series in a window; undefined without rows. */
function valueOf(points: readonly ChartPoint[], at: number, aggFn: string, bucketMs: number): unknown {
  const [only] = points
  if (only && points.length === 1) return plain(only[`series_${at}.data`])
  const values = new Map<number, unknown>()
  for (const point of points) {
    const value = point[`series_${at}.data`]
    if (value !== undefined) values.set(point.ts_bucket, plain(value))
  }
  if (values.size <= 1) return [...values.values()][0]
  const numbers = new Map([...values].map(([time, value]) => [time, numberOf(value)]))
  const times = [...values.keys()]
  const span = { from: Math.min(...times), to: Math.max(...times) + bucketMs }
  return combineBuckets(numbers, combinationOf({ aggFn }), { bucketMs, span })
}

/** A value as the evaluator sees it: 64-bit numbers come as text. */
const plain = (value: unknown): unknown => (value instanceof LosslessNumber ? value.value : value)
