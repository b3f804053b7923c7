/**
 * Reads rows of logs or traces in a part of a chart and around it by searches alone, which every deployment has: all rows, or as
 * many from each of several windows that have about as many rows each.
 */
import { call } from '#console/api/call.ts'
import { search } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { ComparedRow, Sides } from '#domain/explanation/attributeCounts.ts'
import { attributeOf, isCompared } from '#domain/explanation/comparedColumns.ts'
import type { Span } from '#domain/time/span.ts'
import { numberOf } from '../series/groupValues.ts'
import { queryCharts } from '../queryCharts.ts'
import type { ResultColumn, ResultRow } from '../rows/columns.ts'
import { readRows } from '../rows/readRows.ts'
import { windowsOf } from '../rows/sampleRows.ts'
import { type Question, type ReadOptions, wholeOf } from './question.ts'

/** Rows that are read of each side, and the windows from which they are, each a request. */
const sample = { rows: 1200, windows: { inside: 3, outside: 4 } } as const

export interface ComparedRows {
  rows: Sides<ComparedRow[]>
  /** Rows that there are. */
  total: Sides<number>
  requests: number
}

/** Reads the rows of both sides, one request after the other: one for the counts, one for the columns. Throws ApiFailure. */
export async function readComparedRows(
  connectionId: string,
  question: Question,
  { signal, onProgress }: ReadOptions,
): Promise<ComparedRows> {
  const { inside, subject } = question
  const { source, series } = subject
  const whole = wholeOf(question)
  const { where, whereLanguage } = series
  let requests = 0
  const counts = await countRows(connectionId, question, signal)
  onProgress(++requests, 2)
  const parts = partsOf(counts, inside, whole)
  const total = {
    inside: totalOf(parts.inside),
    outside: totalOf(parts.before) + totalOf(parts.after),
  }
  const rows: Sides<ComparedRow[]> = { inside: [], outside: [] }
  if (total.inside === 0 || total.outside === 0) return { rows, total, requests }
  const columns = await columnsOf(connectionId, source, { span: inside, where, whereLanguage }, signal)
  requests++
  const windows = [
    ...sampled(parts.inside, total.inside, sample.windows.inside).map((one) => ({ ...one, side: 'inside' as const })),
    ...[parts.before, parts.after]
      .flatMap((part) => sampled(part, total.outside, sample.windows.outside))
      .map((one) => ({ ...one, side: 'outside' as const })),
  ]
  const all = requests + windows.length
  onProgress(requests, all)
  for (const { span, side, maxResults } of windows) {
    // The end of a window belongs to the next one.
    const query = { span: { from: span.from, to: span.to - 1 }, where, whereLanguage, columns, maxResults }
    const read = await readRows(connectionId, source, query, { signal })
    for (const row of read.rows) rows[side].push(comparedRow(row, columns))
    onProgress(++requests, all)
  }
  return { rows, total, requests }
}

/** Rows by the start of their bucket, as the chart has them. */
async function countRows(
  connectionId: string,
  { range, subject: { source, series } }: Question,
  signal: AbortSignal,
): Promise<Map<number, number>> {
  const { where, whereLanguage } = series
  const counted = { sourceId: source.id, aggFn: 'count' as const, where, whereLanguage, groupBy: [] }
  const points = await queryCharts(connectionId, { ...range, series: [counted] }, [source], { signal })
  return new Map(points.map((point) => [point.ts_bucket, numberOf(point['series_0.data']) ?? 0]))
}

interface RangePart {
  span: Span
  counts: Map<number, number>
  bucketMs: number
}

/** The selection, and what is before and after it, each with the counts of its buckets. */
function partsOf(counts: ReadonlyMap<number, number>, inside: Span, whole: Span) {
  const starts = [...counts.keys()].toSorted((a, b) => a - b)
  const gaps = starts.slice(1).map((start, at) => start - (starts[at] ?? start))
  const bucketMs = gaps.length > 0 ? Math.min(...gaps) : whole.to - whole.from
  const part = (span: Span): RangePart => ({
    span,
    counts: new Map([...counts].filter(([start]) => isIn(start, span, whole))),
    bucketMs,
  })
  return {
    inside: part(inside),
    before: part({ from: whole.from, to: inside.from }),
    after: part({ from: inside.to, to: whole.to }),
  }
}

/** The first bucket may begin before the range. */
const isIn = (start: number, { from, to }: Span, whole: Span): boolean => {
  const time = Math.max(start, whole.from)
  return time >= from && time < to
}

const totalOf = ({ counts }: RangePart): number => [...counts.values()].reduce((sum, count) => sum + count, 0)

/** The windows of a part of one side, and how many rows are read in each: all of them, where they are few. */
function sampled(part: RangePart, total: number, windows: number): { span: Span; maxResults: number }[] {
  const own = totalOf(part)
  if (own === 0) return []
  const maxResults = Math.floor(sample.rows / windows)
  if (total <= sample.rows) return [{ span: part.span, maxResults: sample.rows }]
  const share = Math.max(1, Math.round((windows * own) / total))
  return windowsOf(part.counts, part.span, part.bucketMs, share).map((span) => ({ span, maxResults }))
}

/** The columns that are compared: those of one row, without times, IDs, lists and the text of the message. */
async function columnsOf(
  connectionId: string,
  source: Source,
  { span, where, whereLanguage }: { span: Span; where: string; whereLanguage: 'lucene' | 'sql' },
  signal: AbortSignal,
): Promise<ResultColumn[]> {
  const body = {
    sourceId: source.id,
    startTime: new Date(span.from).toISOString(),
    endTime: new Date(span.to - 1).toISOString(),
    where,
    whereLanguage,
    select: '*',
    maxResults: 1,
  }
  const { data } = await call(connectionId, search.query, { body }, { signal })
  return Object.entries(data[0] ?? {}).flatMap(([expression, value]) =>
    isCompared(source, expression) && !Array.isArray(value) && !isTime(value) ? { expression, wide: false } : [],
  )
}

const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)

/** Keys of maps are attributes of their own. */
function comparedRow({ at, values }: ResultRow, columns: readonly ResultColumn[]): ComparedRow {
  const attributes = new Map<string, string>()
  for (const [index, { expression }] of columns.entries()) {
    const value = values[index] ?? ''
    const map = mapOf(value)
    if (!map) attributes.set(expression, value)
    else for (const [key, one] of Object.entries(map)) attributes.set(attributeOf(expression, key), textOf(one))
  }
  return { at, values: attributes }
}

/** The map that a text of the answer is of; null for all else. */
export function mapOf(value: string): Record<string, unknown> | null {
  if (!value.startsWith('{')) return null
  try {
    // A text that begins with a brace and is JSON is an object: nothing else does.
    return JSON.parse(value) as Record<string, unknown>
  } catch {
    return null
  }
}

export const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
