import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { writtenCondition } from '#console/charting/freeText.ts'
import { resolveRange } from '#console/ui/time/range.ts'
import { maxSearchOffset } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import { formatValue } from '#domain/charts/units.ts'
import type { Span } from '#domain/time/span.ts'
import { columnsOf, type ResultColumn, type ResultRow } from '#console/charting/rows/columns.ts'
import { readRows, withUniqueKeys, type RowsQuery } from '#console/charting/rows/readRows.ts'
import type { SearchState } from './state.ts'

/** Rows of the first request, which should be drawn early, and of the further ones. */
export const firstPage = 200
const furtherPage = 1000
/** At most this many rows are loaded. */
export const maxRows = maxSearchOffset

export interface RowsPage {
  rows: ResultRow[]
  /** The columns of their values. */
  columns: readonly ResultColumn[]
  span: Span
  /** Milliseconds. */
  took: number
  readAt: number
  /** More rows may follow. */
  more: boolean
}

interface PageParam {
  offset: number
  /** The range of the first page: the further ones must not move with the clock. */
  span: Span | null
}

/** The reads of the search page for a state. */
export function rowsQueryOf(
  { q: where, lang, cols, order }: SearchState,
  source: Source,
): Pick<RowsQuery, 'where' | 'whereLanguage' | 'columns' | 'orderBy'> {
  return {
    where: writtenCondition(where, lang),
    whereLanguage: lang,
    columns: columnsOf(cols, source),
    orderBy: order,
  }
}

/** The rows of a search. A request that is not wanted any more is cancelled in the engine. */
export function rowsQuery(connectionId: string, state: SearchState, source: Source) {
  const { q: where, lang, from, to, tz, cols, order } = state
  const first: PageParam = { offset: 0, span: null }
  return infiniteQueryOptions({
    queryKey: [connectionId, 'search', source.id, { where, lang, from, to, tz, cols, order }] as const,
    initialPageParam: first,
    queryFn: async ({ signal, queryKey: read, pageParam: { offset, span: known } }): Promise<RowsPage> => {
      const readAt = Date.now()
      const span = known ?? resolveRange({ from, to }, { now: readAt, zone: tz })
      if ('problem' in span) throw new RangeError(span.problem)
      const maxResults = offset === 0 ? firstPage : Math.min(furtherPage, maxRows - offset)
      const query = { ...rowsQueryOf(state, source), span, offset, maxResults }
      const { rows, took } = await readRows(connectionId, source, query, { signal, read })
      return {
        rows,
        columns: query.columns,
        span,
        took,
        readAt,
        more: rows.length === maxResults && offset + rows.length < maxRows,
      }
    },
    getNextPageParam: (last, pages) =>
      last.more
        ? { offset: pages.reduce((sum, { rows }) => sum + rows.length, 0), span: pages[0]?.span ?? last.span }
        : undefined,
    staleTime: 60_000,
    gcTime: 60_000,
  })
}

/** Reads the rows. The rows of the previous search stay until those of the new one arrive. */
export function useSearchRows(connectionId: string, state: SearchState, source: Source) {
  const query = useInfiniteQuery({ ...rowsQuery(connectionId, state, source), placeholderData: keepPreviousData })
  const pages = query.data?.pages
  const rows = useMemo(() => withUniqueKeys(pages?.flatMap((page) => page.rows) ?? []), [pages])
  return { ...query, rows, first: pages?.[0] }
}

interface LoadedRows {
  rows: readonly unknown[]
  /** The first page. */
  first: Pick<RowsPage, 'span'> | undefined
  hasNextPage: boolean
  isPlaceholderData: boolean
}

/**
 * How many rows match: "110", "about 1,500"; "…" while that is counted.
 * @param counted the histogram: of a relative range, it begins with a whole bucket, so that it counts earlier rows too
 */
export function formatRowCount(
  { rows, first, hasNextPage, isPlaceholderData }: LoadedRows,
  counted: { total: number; span: Pick<Span, 'from'> } | undefined,
): string {
  const loaded = rows.length
  const isComplete = first !== undefined && !isPlaceholderData && !hasNextPage && loaded < maxRows
  if (isComplete) return formatValue(loaded)
  if (!counted) return '…'
  const isWider = first !== undefined && counted.span.from < first.span.from
  return `${isWider ? 'about ' : ''}${formatValue(Math.max(counted.total, loaded))}`
}

export type SearchRows = ReturnType<typeof useSearchRows>
