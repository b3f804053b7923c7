import { useQuery } from '@tanstack/react-query'
import { call } from '#console/api/call.ts'
import { sqlIn } from '#console/telemetry/conditions.ts'
import { search, type SearchRow } from '#contract/search.ts'
import type { Source } from '#contract/sources.ts'
import { text, timeField, type ResultRow } from './columns.ts'

/** Reads all columns of one row. The API has no ID of a row: the time and what the list shows of it find it. */
export function useRow(connectionId: string, source: Source, row: ResultRow) {
  return useQuery({
    queryKey: [connectionId, 'search', 'row', source.id, row.key, row.values] as const,
    queryFn: async ({ signal }): Promise<SearchRow | null> => {
      const body = {
        sourceId: source.id,
        startTime: new Date(row.at - 1).toISOString(),
        endTime: new Date(row.at + 2).toISOString(),
        where: whereOf(row, source),
        whereLanguage: 'sql' as const,
        select: '*',
        maxResults: 1,
      }
      const { data } = await call(connectionId, search.query, { body }, { signal })
      return data[0] ?? null
    },
    staleTime: Infinity,
  })
}

function whereOf({ time, traceId, spanId }: ResultRow, source: Source): string {
  const known: [expression: string | undefined, value: string][] = [
    [text(source, 'traceIdExpression'), traceId],
    [text(source, 'spanIdExpression'), spanId],
  ]
  return [
    sqlIn(`toString(${timeField(source)})`, [time]),
    ...known.flatMap(([expression, value]) => (expression && value ? [sqlIn(expression, [value])] : [])),
  ].join(' AND ')
}
