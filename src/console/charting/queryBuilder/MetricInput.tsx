import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrigin } from '#console/api/offers/offers.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { q } from '#console/api/queries.ts'
import { SuggestInput } from '#console/ui/suggest/SuggestInput.tsx'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { sources } from '#contract/stack/sources.ts'
import { useConnection } from '#console/shell/connection.tsx'

interface MetricInputProps {
  /** The source of the metric; empty if none is chosen. */
  sourceId: string
  /** Only metrics of this type are suggested. */
  metricType: string
  value: string
  onChange: (name: string) => void
  error?: string | undefined
}

/** The name of a metric. Suggests those that its source has, once it has the focus. */
export function MetricInput({ sourceId, metricType, ...input }: MetricInputProps) {
  const [focused, setFocused] = useState(false)
  const { names, help } = useMetricNames(sourceId, metricType, focused)
  return (
    <div onFocus={() => setFocused(true)}>
      <SuggestInput
        {...input}
        label="Metric"
        hiddenLabel
        suggestions={names}
        placeholder="e.g. http.server.request.duration"
        help={help}
      />
    </div>
  )
}

/** The names of the metrics of a source. Where the deployment does not list them, those that its dashboards draw. */
function useMetricNames(sourceId: string, type: string, enabled: boolean): { names: readonly string[]; help?: string } {
  const connection = useConnection()
  const isOffered = useFeatureOffer(connection, sources.metricNames)
  const origin = useOrigin(connection, sources.metricNames)
  const listed = useQuery({
    ...q(connection.id, sources.metricNames, { params: { sourceId } }, { priority: 'background' }),
    enabled: enabled && isOffered && sourceId !== '',
    staleTime: 5 * 60_000,
    retry: false,
    select: (all) => [...new Set(all.filter((metric) => metric.type === type).map(({ name }) => name))],
  })
  const drawn = useQuery({
    ...q(connection.id, dashboards.list, {}, { priority: 'background' }),
    enabled: enabled && (!isOffered || listed.isError),
    staleTime: 10 * 60_000,
    select: (all) => {
      const selects = all.flatMap(({ tiles }) => tiles.map(({ config }) => config?.select))
      const items = selects.flatMap((select) => (Array.isArray(select) ? select : []))
      const names = items.flatMap(({ metricName }) => metricName ?? [])
      return [...new Set(names)].toSorted()
    },
  })
  if (isOffered && !listed.isError) {
    return { names: listed.data ?? [], ...(enabled && listed.data && origin !== undefined && { help: origin }) }
  }
  return {
    names: drawn.data ?? [],
    ...(enabled && { help: 'Suggestions come from dashboards. This deployment does not list its metrics.' }),
  }
}
