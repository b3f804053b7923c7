import { useQuery } from '@tanstack/react-query'
import { call } from '#console/api/call.ts'
import { sqlIn } from '#domain/query/sqlValues.ts'
import { search, type SearchRow } from '#contract/stack/search.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import type { Source } from '#contract/stack/sources.ts'
import { text, timeField, type ResultColumn, type ResultRow } from '#console/charting/rows/columns.ts'
import { sqlAtTime } from '#console/charting/rows/rowTime.ts'

/** Reads all columns of one row. The API has no ID of a row: the time and what the list shows of it find it. */
export function useRow(connectionId: string, source: Source, row: ResultRow, columns: readonly ResultColumn[] = []) {
  return useQuery({
    queryKey: [connectionId, 'search', 'row', source.id, row.key, row.values] as const,
    queryFn: async ({ signal }): Promise<SearchRow | null> => {
      const body = {
        sourceId: source.id,
        startTime: new Date(row.at - 1).toISOString(),
        endTime: new Date(row.at + 2).toISOString(),
        where: whereOf(row, source, columns),
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

function whereOf(
  { time, traceId, spanId, values }: ResultRow,
  source: Source,
  columns: readonly ResultColumn[],
): string {
  const known: [expression: string | undefined, value: string][] = [
    [text(source, 'traceIdExpression'), traceId],
    [text(source, 'spanIdExpression'), spanId],
    ...textColumns(source).map((expression): [string, string] => [
      expression,
      values[columns.findIndex((column) => column.expression === expression)] ?? '',
    ]),
  ]
  return [
    sqlAtTime(timeField(source), time),
    ...known.flatMap(([expression, value]) => (expression && value ? [sqlIn(expression, [value])] : [])),
  ].join(' AND ')
}

/** Columns of text, which tell apart rows of the same time. */
function textColumns(source: Source): string[] {
  const names = ['serviceNameExpression', 'severityTextExpression', 'bodyExpression', 'spanNameExpression']
  return names.flatMap((name) => splitExpressions(text(source, name) ?? ''))
}
