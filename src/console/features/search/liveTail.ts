/** Live tail: when newer rows are read, and how they join those that are loaded. */
import type { InfiniteData } from '@tanstack/react-query'
import type { RateLimit } from '#console/api/rateLimit.ts'
import type { RowsPage } from './query/useSearchRows.ts'

/** The most rows of one read. More new rows than these replace the list. */
export const maxTailRows = 1000
/** Exporters send in batches: rows of this long ago may still arrive. */
const lateMs = 30_000
/** Rows that are kept while the tail runs. */
const keptRows = 5000

const fastestMs = 2000
const slowestMs = 60_000
/** The share of the rate limit that the tail may use. */
const share = 1 / 4
/** Requests that are left to the person. */
const reserve = 5

interface Pace {
  rateLimit: Pick<RateLimit, 'limit' | 'remaining' | 'resetAt'> | undefined
  /** How long the last read took. */
  took: number
  /** Reads that failed in a row. */
  failures: number
  now: number
}

/** Milliseconds until the next read: longer for a small or used rate limit, slow reads and failures. */
export function tailInterval({ rateLimit, took, failures, now }: Pace): number {
  const wait = Math.max(fastestMs, 4 * took) * 2 ** failures
  if (!rateLimit || rateLimit.limit <= 0) return Math.min(slowestMs, wait)
  const { limit, remaining, resetAt } = rateLimit
  // Limits are for a minute.
  const fair = 60_000 / (limit * share)
  const scarce = resetAt > now ? limit / Math.max(1, remaining) : 1
  const paced = Math.min(slowestMs, Math.max(wait, fair * Math.max(1, scarce / 2)))
  return remaining <= reserve && resetAt > now ? Math.max(paced, resetAt - now) : paced
}

type Loaded = InfiniteData<RowsPage>

/** From which time rows are read again, epoch milliseconds. */
export function tailStart({ pages }: Loaded): number {
  const { rows = [], span } = pages[0] ?? {}
  const [newest, oldest] = [rows[0], rows.at(-1)]
  if (!newest || !oldest || !span) return span?.from ?? 0
  const late = Math.max(newest.at - lateMs, span.from)
  // The rows of the oldest millisecond may continue on the next page.
  return pages.length > 1 || pages[0]?.more ? Math.max(late, oldest.at + 1) : late
}

/** The rows with those that were read since `start` up to `end` in place of what was known of that time. */
export function withTail(
  { pages, pageParams }: Loaded,
  fresh: RowsPage['rows'],
  { start, end }: { start: number; end: number },
): Loaded {
  const [first, ...older] = pages
  if (!first) return { pages, pageParams }
  const span = { from: first.span.from, to: end }
  const only = (rows: RowsPage['rows'], more: boolean): Loaded => ({
    pages: [{ ...first, rows, span, more, readAt: end }],
    pageParams: pageParams.slice(0, 1),
  })
  if (fresh.length >= maxTailRows) return only(fresh, true)
  const rows = [...fresh, ...first.rows.filter(({ at }) => at < start)]
  const total = older.reduce((sum, page) => sum + page.rows.length, rows.length)
  if (total > keptRows) return only(rows.slice(0, keptRows), true)
  // Further pages are read by their offset in the same range.
  return { pages: [{ ...first, rows, span, readAt: end }, ...older.map((page) => ({ ...page, span }))], pageParams }
}
