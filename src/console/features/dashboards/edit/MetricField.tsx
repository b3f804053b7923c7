import { type FieldPath, useController, type Control } from 'react-hook-form'
import { MetricInput } from '#console/shell/telemetry/MetricInput.tsx'
import type { TileForm } from './tileForm.ts'

interface MetricFieldProps {
  control: Control<TileForm>
  name: FieldPath<TileForm>
  sourceId: string
  metricType: string
}

/** The name of a metric in the form of a tile. */
export function MetricField({ control, name, sourceId, metricType }: MetricFieldProps) {
  const { field, fieldState } = useController({ control, name })
  return (
    <MetricInput
      sourceId={sourceId}
      metricType={metricType}
      value={String(field.value)}
      onChange={field.onChange}
      error={fieldState.error?.message}
    />
  )
}
