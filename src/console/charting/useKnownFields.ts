import { useQueries } from '@tanstack/react-query'
import { queryCharts } from './queryCharts.ts'
import { tooManyGroups } from '#console/api/groupErrors.ts'
import type { Source } from '#contract/stack/sources.ts'
import { type Field, fieldsOf, withAttributes } from './fields.ts'

const hour = 3_600_000
const minute = 60_000
/** Most attributes to suggest. */
const maxAttributes = 200

/** Names of the attributes in a map column that the newest records have, the most frequent first. */
async function attributeNames(
  connectionId: string,
  { sourceId, column }: { sourceId: string; column: string },
  milliseconds: number,
  signal: AbortSignal,
): Promise<string[]> {
  const now = Date.now()
  const series = [{ sourceId, aggFn: 'count' as const, where: '', groupBy: [`arrayJoin(mapKeys(${column}))`] }]
  const body = { startTime: now - milliseconds, endTime: now, granularity: '30d' as const, series }
  const points = await queryCharts(connectionId, body, [], { signal, priority: 'background' })
  const counted = points.map((point) => ({ name: point.group?.[0], count: Number(point['series_0.data']) || 0 }))
  const names = counted.toSorted((a, b) => b.count - a.count).map(({ name }) => name)
  return [...new Set(names)]
    .filter((name): name is string => typeof name === 'string' && name !== '')
    .slice(0, maxAttributes)
}

/** Reads the last hour, or only the last minute if an hour has too many different names. @param read gets milliseconds */
export function readLastHour(read: (range: number) => Promise<string[]>): Promise<string[]> {
  return read(hour).catch((error: unknown) => {
    if (tooManyGroups(error)) return read(minute)
    throw error
  })
}

/** The map columns whose attribute names are read: those of the given sources that are not disabled. */
export function attributeColumns(sources: readonly Source[], sourceIds: readonly string[]) {
  return sources
    .filter(({ id, kind, disabled }) => sourceIds.includes(id) && kind !== 'metric' && !disabled)
    .flatMap(({ id, eventAttributesExpression, resourceAttributesExpression }) =>
      [eventAttributesExpression, resourceAttributesExpression].flatMap((column) =>
        column ? [{ sourceId: id, column }] : [],
      ),
    )
}

/**
 * Columns of each source for suggestions, with the attributes that its records really have. Those cost a request a map column,
 * so they are read only for the sources in `sourceIds`; a deployment that does not support that
 * just has fewer suggestions.
 */
export function useKnownFields(
  connectionId: string,
  sources: readonly Source[],
  sourceIds: readonly string[],
): (sourceId: string) => Field[] {
  const columns = attributeColumns(sources, sourceIds)
  const found = useQueries({
    queries: columns.map(({ sourceId, column }) => ({
      queryKey: [connectionId, 'charts', 'attributes', sourceId, column],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readLastHour((range) => attributeNames(connectionId, { sourceId, column }, range, signal)),
      staleTime: 10 * 60_000,
    })),
    combine: (results) => results.map(({ data }) => data ?? []),
  })
  return (sourceId) => {
    const attributes = columns.flatMap((column, at) =>
      column.sourceId === sourceId ? [{ column: column.column, names: found[at] ?? [] }] : [],
    )
    return withAttributes(fieldsOf(sources.find(({ id }) => id === sourceId)), attributes)
  }
}
