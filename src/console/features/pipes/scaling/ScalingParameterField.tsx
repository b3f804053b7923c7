import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import type { Load } from '#console/ui/form/fields/sliderParts.tsx'
import { SliderField } from '#console/ui/form/fields/SliderField.tsx'
import { formatBounds, formatScalingValue, type ScalingParameter } from '../model/scalingParameters.ts'

interface ScalingParameterFieldProps<Form extends FieldValues> {
  control: Control<Form>
  name: FieldPath<Form>
  parameter: ScalingParameter
  /** The value that an unchanged field shows. Null if unknown. */
  current: number | null
  /** The value in effect, if that is not `current`. */
  inForce?: number | null
  /** Allows values between the sizes. */
  free?: boolean
  /** The measured use of it. */
  load?: Load | undefined
  disabled?: string | undefined
  onMove?: (value: number) => void
}

/** The slider and number field of a scaling parameter. */
export function ScalingParameterField<Form extends FieldValues>({
  parameter,
  ...field
}: ScalingParameterFieldProps<Form>) {
  return (
    <SliderField<Form>
      {...field}
      label={parameter.title}
      range={parameter.range}
      bounds={formatBounds(parameter)}
      unit={parameter.unit}
      marks={parameter.marks}
      words={(value) => formatScalingValue(parameter, value)}
    />
  )
}
