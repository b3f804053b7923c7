import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#console/api/queries.ts'
import { SuggestInput } from '#console/ui/suggest/SuggestInput.tsx'
import { dashboards } from '#contract/dashboards.ts'
import { useConnection } from '../connection.tsx'

interface MetricInputProps {
  value: string
  onChange: (name: string) => void
  error?: string | undefined
}

/** The name of a metric. Suggests those that dashboards draw, once it has the focus. */
export function MetricInput(props: MetricInputProps) {
  const [focused, setFocused] = useState(false)
  const names = useMetricNames(useConnection().id, focused)
  return (
    <div onFocus={() => setFocused(true)}>
      <SuggestInput {...props} label="Metric" suggestions={names} placeholder="e.g. http.server.request.duration" />
    </div>
  )
}

/** Metrics that dashboards of the deployment draw: its API lists no others. */
function useMetricNames(connectionId: string, enabled: boolean): readonly string[] {
  const { data } = useQuery({
    ...q(connectionId, dashboards.list, {}, { priority: 'background' }),
    enabled,
    staleTime: 10 * 60_000,
    select: (all) => {
      const selects = all.flatMap(({ tiles }) => tiles.map(({ config }) => config?.select))
      const items = selects.flatMap((select) => (Array.isArray(select) ? select : []))
      const names = items.flatMap(({ metricName }) => metricName ?? [])
      return [...new Set(names)].toSorted()
    },
  })
  return data ?? []
}
