/**
 * Rows of a whole range that has more of them than are read: the same number from each of several windows, which have about as
 * many rows each. So a busy hour counts for what it has, and the newest rows are not all that is seen.
 */
import type { CallOptions } from '#console/api/call.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Span } from '#domain/time/span.ts'
import { alignToBuckets } from '#domain/series/bucketAlignment.ts'
import { addPoints, type Groups } from '../series/groupValues.ts'
import { queryCharts } from '../queryCharts.ts'
import type { ResultRow } from './columns.ts'
import { readRows, type RowsQuery } from './readRows.ts'

/** Each is a request, and another one where others have fewer rows than was thought. */
export const sampleWindows = 6

export interface RowSample {
  /** Newest first. */
  rows: ResultRow[]
  /** Rows of the whole range. */
  total: number
}

/**
 * Reads the sample, one window after the other. Throws ApiFailure.
 * @param query what is sampled; `maxResults` is the size of the sample
 * @param newest the newest rows of the range, from which those of the last window are taken
 */
export async function sampleRows(
  connectionId: string,
  source: Source,
  query: RowsQuery,
  newest: readonly ResultRow[],
  options: CallOptions,
): Promise<RowSample> {
  const { span, maxResults } = query
  const counts = await countRows(connectionId, source, query, options)
  const { bucketMs } = alignToBuckets(span, 'auto', 'utc')
  const [last, ...earlier] = windowsOf(counts, span, bucketMs, sampleWindows).toReversed()
  const ofLast = newest.filter(({ at }) => last !== undefined && at >= last.from)
  const read = async (window: Span, offset: number, count: number): Promise<ResultRow[]> => {
    if (window === last) return ofLast.slice(offset, offset + count)
    // The end of a window belongs to the next one.
    const part = { ...query, span: { from: window.from, to: window.to - 1 }, offset, maxResults: count }
    return (await readRows(connectionId, source, part, options)).rows
  }
  const each = Math.floor(maxResults / sampleWindows)
  const parts: { window: Span; rows: ResultRow[] }[] = []
  for (const window of last ? [last, ...earlier] : []) parts.push({ window, rows: await read(window, 0, each) })
  // Within a bucket, rows are rarely spread evenly: what some windows lack, others have.
  const full = parts.filter(({ rows }) => rows.length === each)
  const missing = maxResults - parts.reduce((sum, { rows }) => sum + rows.length, 0)
  const more = Math.floor(missing / Math.max(1, full.length))
  if (more >= each / 2) for (const part of full) part.rows.push(...(await read(part.window, each, more)))
  return {
    rows: parts.flatMap((part) => part.rows),
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
  }
}

/** Rows by the start of their bucket. */
async function countRows(
  connectionId: string,
  source: Source,
  { span, where, whereLanguage }: RowsQuery,
  options: CallOptions,
): Promise<Map<number, number>> {
  const body = {
    startTime: span.from,
    endTime: span.to,
    granularity: 'auto' as const,
    series: [{ sourceId: source.id, aggFn: 'count' as const, where, whereLanguage, groupBy: [] }],
  }
  const groups: Groups = new Map()
  addPoints(groups, await queryCharts(connectionId, body, [source], options), { first: 0, count: 1, total: 1 })
  const values = [...groups.values()].flatMap((group) => [...(group.values[0] ?? [])])
  return new Map(values.map(([start, count]) => [start, count ?? 0]))
}

/**
 * Windows of about as many rows each, the oldest first: together the whole range. Rows are taken to be spread evenly within a
 * bucket. Where none were counted, the windows are of the same length.
 * @param counts rows by the start of their bucket, epoch milliseconds
 */
export function windowsOf(
  counts: ReadonlyMap<number, number>,
  { from, to }: Span,
  bucketMs: number,
  windows: number,
): Span[] {
  const buckets = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  const timeOf = (share: number): number => {
    let left = share * total
    for (const [start, count] of buckets) {
      if (left <= count) return start + (bucketMs * left) / count
      left -= count
    }
    return from + share * (to - from)
  }
  const inside = (time: number) => Math.min(to, Math.max(from, Math.round(time)))
  const edges = Array.from({ length: windows - 1 }, (_, at) => inside(timeOf((at + 1) / windows)))
  const starts = [...new Set([from, ...edges])]
  return starts.map((start, at) => ({ from: start, to: starts[at + 1] ?? to })).filter(({ to, from }) => to > from)
}
