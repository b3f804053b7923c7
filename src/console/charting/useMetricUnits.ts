/** The units of the metrics of a source. */
import { useQuery } from '@tanstack/react-query'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { q } from '#console/api/queries.ts'
import { type Source, sources } from '#contract/stack/sources.ts'
import { type MetricUnits, unitsByKey } from '#domain/series/seriesUnits.ts'

const noUnits: MetricUnits = new Map()

/** The units of the metrics of a source, where their deployment lists them; empty until they are read. */
export function useMetricUnits(connectionId: string | null, source: Source | undefined): MetricUnits {
  const isOffered = useFeatureOffer({ id: connectionId ?? '' }, sources.metricNames)
  const { data } = useQuery({
    ...q(
      connectionId ?? '',
      sources.metricNames,
      { params: { sourceId: source?.id ?? '' } },
      { priority: 'background' },
    ),
    staleTime: 5 * 60_000,
    retry: false,
    enabled: connectionId !== null && isOffered && source?.kind === 'metric',
    select: unitsByKey,
  })
  return data ?? noUnits
}
