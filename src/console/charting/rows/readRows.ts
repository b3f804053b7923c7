/** Reads rows of logs and traces, as the search page and the tiles that list rows do. */
import { call, type CallOptions } from '#console/api/call.ts'
import { search } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Span } from '#domain/time/span.ts'
import type { Language } from '../conditions/conditions.ts'
import { readRow, selectOf, type ResultColumn, type ResultRow } from './columns.ts'

export interface RowsQuery {
  span: Span
  where: string
  whereLanguage: Language
  columns: readonly ResultColumn[]
  /** ORDER BY; empty for newest first. */
  orderBy?: string
  offset?: number
  maxResults: number
}

/** The body of a request for rows. */
export function rowsRequest(
  source: Source,
  { span, where, whereLanguage, columns, orderBy, offset = 0, maxResults }: RowsQuery,
) {
  return {
    sourceId: source.id,
    startTime: new Date(span.from).toISOString(),
    endTime: new Date(span.to).toISOString(),
    where,
    whereLanguage,
    select: selectOf(columns, source),
    ...(orderBy && { orderBy }),
    maxResults,
    offset,
  }
}

/** @returns the rows, and how long it took in milliseconds */
export async function readRows(
  connectionId: string,
  source: Source,
  query: RowsQuery,
  options: CallOptions,
): Promise<{ rows: ResultRow[]; took: number }> {
  const body = rowsRequest(source, query)
  const start = performance.now()
  const { data } = await call(connectionId, search.query, { body }, options).catch(async (error: unknown) => {
    // Read when it is needed: few searches are refused.
    const { rowsRefusal } = await import('../chartRefusal.ts')
    throw rowsRefusal(error, query)
  })
  return { rows: data.map((row) => readRow(row, query.columns)), took: performance.now() - start }
}

/** Rows of the same time and span are told apart by their order. */
export function withUniqueKeys(rows: readonly ResultRow[]): ResultRow[] {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const count = (seen.get(row.key) ?? 0) + 1
    seen.set(row.key, count)
    return count === 1 ? row : { ...row, key: `${row.key}-${count}` }
  })
}
