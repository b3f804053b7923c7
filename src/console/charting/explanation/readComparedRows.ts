/**
 * Reads rows of logs or traces in a part of a chart and around it by searches alone, which every deployment has: all rows, or as
 * many from each of several windows that have about as many rows each.
 */
import { call } from '#console/api/call.ts'
import { search } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { ComparedRow, Sides } from '#domain/explanation/attributeCounts.ts'
import { isCompared } from '#domain/explanation/comparedColumns.ts'
import { attributeOf } from '#domain/query/sqlValues.ts'
import type { ResultColumn, ResultRow } from '../rows/columns.ts'
import { readRows } from '../rows/readRows.ts'
import { windowsOf } from '../rows/sampleRows.ts'
import { comparedParts, rowsOf, totalOf, type ComparedPart } from './comparedParts.ts'
import type { Question, ReadOptions } from './question.ts'

/** Rows that are read of each side, and the windows from which they are, each a request. */
const sample = { rows: 1200, windows: { inside: 3, outside: 4 } } as const

export interface ComparedRows {
  rows: Sides<ComparedRow[]>
  /** The number of rows of each side. */
  total: Sides<number>
  requests: number
}

/** Reads the rows of both sides, one request after the other: one for the counts, one for the columns. Throws ApiFailure. */
export async function readComparedRows(
  connectionId: string,
  question: Question,
  { signal, onProgress }: ReadOptions,
): Promise<ComparedRows> {
  const { source } = question.subject
  let requests = 0
  const parts = await comparedParts(connectionId, question, signal)
  onProgress(++requests, 2)
  const total = { inside: totalOf(parts, 'inside'), outside: totalOf(parts, 'outside') }
  const rows: Sides<ComparedRow[]> = { inside: [], outside: [] }
  if (total.inside === 0 || total.outside === 0) return { rows, total, requests }
  const columns = await columnsOf(connectionId, source, parts, signal)
  requests++
  const windows = sampledParts(parts)
  const all = requests + windows.length
  onProgress(requests, all)
  for (const { span, side, condition, maxResults } of windows) {
    // The end of a window belongs to the next one.
    const within = { from: span.from, to: span.to - 1 }
    const query = { span: within, where: condition.text, whereLanguage: condition.language, columns, maxResults }
    const read = await readRows(connectionId, source, query, { signal })
    for (const row of read.rows) rows[side].push(comparedRow(row, columns))
    onProgress(++requests, all)
  }
  return { rows, total, requests }
}

/** A window of a part, and how many of its rows are read. */
interface SampledPart extends ComparedPart {
  maxResults: number
}

/**
 * The windows that are read of both sides: whole parts where a side has few rows, otherwise windows with rows in proportion to the share
 * of each part.
 */
export function sampledParts(parts: readonly ComparedPart[]): SampledPart[] {
  return (['inside', 'outside'] as const).flatMap((side) => {
    const own = parts.filter((part) => part.side === side && rowsOf(part) > 0)
    const total = totalOf(own, side)
    if (total <= sample.rows) return own.map((part) => ({ ...part, maxResults: sample.rows }))
    const rows = apportion(own.map(rowsOf), sample.rows)
    return own.flatMap((part, at) => windowsOfPart(part, rows[at] ?? 0, sample.windows[side]))
  })
}

/** Splits a part into windows with about equally many of its rows. Their number is in proportion to its share of the side. */
function windowsOfPart(part: ComparedPart, rows: number, all: number): SampledPart[] {
  if (rows === 0) return []
  const count = Math.max(1, Math.round((all * rows) / sample.rows))
  const windows = windowsOf(part.counts, part.span, part.bucketMs, Math.min(count, rows))
  const each = apportion(
    windows.map(() => 1),
    rows,
  )
  return windows.map((span, at) => ({ ...part, span, maxResults: each[at] ?? 0 }))
}

/** Whole numbers in proportion to the weights, which add up to the total: the largest remainders are rounded up. */
function apportion(weights: readonly number[], total: number): number[] {
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0)
  const exact = weights.map((weight) => (weight * total) / weightSum)
  const whole = exact.map(Math.floor)
  const left = total - whole.reduce((sum, value) => sum + value, 0)
  const largest = [...exact.keys()].toSorted((a, b) => (exact[b]! % 1) - (exact[a]! % 1)).slice(0, left)
  for (const at of largest) whole[at]! += 1
  return whole
}

/** The columns that are compared: those of one row, without times, IDs, lists and the text of the message. */
async function columnsOf(
  connectionId: string,
  source: Source,
  parts: readonly ComparedPart[],
  signal: AbortSignal,
): Promise<ResultColumn[]> {
  const inside = parts.find(({ side }) => side === 'inside')
  if (!inside) return []
  const { span, condition } = inside
  const body = {
    sourceId: source.id,
    startTime: new Date(span.from).toISOString(),
    endTime: new Date(span.to - 1).toISOString(),
    where: condition.text,
    whereLanguage: condition.language,
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
    else for (const [key, value] of Object.entries(map)) attributes.set(attributeOf(expression, key), textOf(value))
  }
  return { at, values: attributes }
}

/** The map that a text of the response contains; null for any other text. */
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
