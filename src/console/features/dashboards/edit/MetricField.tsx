import { type FieldPath, useController, type Control } from 'react-hook-form'
import { useMetricNames } from '#console/telemetry/useKnownFields.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { SuggestInput } from '#console/ui/SuggestInput.tsx'
import type { TileForm } from './tileForm.ts'

interface MetricFieldProps {
  control: Control<TileForm>
  name: FieldPath<TileForm>
}

/** The name of a metric; those that dashboards draw already are offered. */
export function MetricField({ control, name }: MetricFieldProps) {
  const { field, fieldState } = useController({ control, name })
  const names = useMetricNames(useConnection().id, true)
  return (
    <SuggestInput
      label="Metric"
      value={String(field.value)}
      suggestions={names}
      onChange={field.onChange}
      placeholder="e.g. http.server.request.duration"
      error={fieldState.error?.message}
    />
  )
}
