import { useQueries } from '@tanstack/react-query'
import { queryCharts } from '#console/telemetry/queryCharts.ts'
import { totalGranularity } from '#domain/bucketAlignment.ts'
import type { Source } from '#contract/sources.ts'
import { type DashboardTemplate, sourceOf, templates } from './templates.ts'

const hour = 3_600_000

/** Whether the last hour has the telemetry of a template; undefined while that is not known. */
export type FoundTelemetry = (template: DashboardTemplate) => boolean | undefined

/**
 * Counts what the templates need over the last hour, in one request for each source, again and again while it is shown.
 * @param connectionId the connection that answers for charts; null if none does
 */
export function useFoundTelemetry(connectionId: string | null, sources: readonly Source[]): FoundTelemetry {
  const groups = new Map<string, DashboardTemplate[]>()
  for (const template of templates) {
    const source = sourceOf(template, sources)
    if (source) groups.set(source.id, [...(groups.get(source.id) ?? []), template])
  }
  const found = useQueries({
    queries: [...groups].map(([sourceId, list]) => ({
      queryKey: [connectionId, 'charts', 'templates', sourceId],
      queryFn: ({ signal }: { signal: AbortSignal }) => countEach(connectionId ?? '', sourceId, list, sources, signal),
      enabled: connectionId !== null,
      // Somebody may have just begun to send.
      refetchInterval: 10_000,
      retry: false,
    })),
    combine: (results) => new Map(results.flatMap(({ data }) => [...(data ?? [])])),
  })
  return ({ id }) => found.get(id)
}

async function countEach(
  connectionId: string,
  sourceId: string,
  list: readonly DashboardTemplate[],
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<Map<string, boolean>> {
  const now = Date.now()
  const span = { from: now - hour, to: now }
  const body = {
    startTime: span.from,
    endTime: span.to,
    granularity: totalGranularity(span),
    series: list.map(({ needs }) => ({ ...needs, sourceId })),
  }
  const points = await queryCharts(connectionId, body, sources, { signal, priority: 'background' })
  return new Map(
    list.map(({ id }, index) => [id, points.some((point) => Number(point[`series_${index}.data`] ?? 0) > 0)]),
  )
}
