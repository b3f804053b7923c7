import type { UseFormReturn } from 'react-hook-form'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SliderField } from '#console/ui/form/fields/SliderField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { formatBound } from '#contract/bounds.ts'
import { autoscalingModes, type Service } from '#contract/services.ts'
import { bounds, fieldLabels, type NumberField as Field, type ReplicaForm } from './replicaForm.ts'

interface ReplicaFieldsProps {
  form: UseFormReturn<ReplicaForm>
  values: ReplicaForm
  /** The service with the pending change applied. */
  service: Service
  /** The service as reported. */
  inForce: Service
  locked: string | undefined
}

const modeDetails: Record<(typeof autoscalingModes)[number], string> = {
  vertical: 'fixed number of replicas, automatic memory',
  horizontal: 'automatic number of replicas, fixed memory; not available to every organization',
}

/** The fields of the selected scaling mode. Those of the other mode are not sent. */
export function ReplicaFields({ form, values, service, inForce, locked }: ReplicaFieldsProps) {
  const { control } = form
  const horizontal = values.autoscalingMode === 'horizontal'
  const slider = (field: Field, marks: readonly number[], label = fieldLabels[field]) => (
    <SliderField<ReplicaForm>
      key={field}
      control={control}
      name={field}
      label={label}
      range={{ min: bounds[field].min, max: bounds[field].max, step: bounds[field].step ?? 1 }}
      bounds={`${bounds[field].min} to ${bounds[field].max}${bounds[field].unit ? ` ${bounds[field].unit}` : ''}`}
      unit={bounds[field].unit ?? ''}
      current={service[field] ?? null}
      inForce={inForce[field] ?? null}
      marks={marks.map((value) => ({ value, label: String(value) }))}
      words={(value) => `${value}${bounds[field].unit ? ` ${bounds[field].unit}` : ''}`}
      disabled={locked}
    />
  )
  const replicaMarks = [1, 5, 10, 15, 20]
  const memoryMarks = [8, 96, 184, 268, 356]
  return (
    <>
      <Panel title="Size">
        <SelectField
          control={control}
          name="autoscalingMode"
          label={fieldLabels.autoscalingMode}
          options={autoscalingModes.map((value) => ({ value, label: value, detail: modeDetails[value] }))}
          disabled={locked}
        />
        {horizontal
          ? [
              slider('minReplicas', replicaMarks),
              slider('maxReplicas', replicaMarks),
              slider('minReplicaMemoryGb', memoryMarks, 'Memory per replica'),
            ]
          : [
              slider('numReplicas', replicaMarks),
              slider('minReplicaMemoryGb', memoryMarks),
              slider('maxReplicaMemoryGb', memoryMarks),
            ]}
      </Panel>
      <Panel title="Idling">
        <FieldGrid>
          <SwitchField
            control={control}
            name="idleScaling"
            label={fieldLabels.idleScaling}
            help="An idle service uses no compute. The next query wakes it."
            disabled={locked}
          />
          <NumberField
            control={control}
            name="idleTimeoutMinutes"
            label={fieldLabels.idleTimeoutMinutes}
            unit="min"
            placeholder={service.idleTimeoutMinutes == null ? '' : `unchanged (${service.idleTimeoutMinutes})`}
            help={`${formatBound(bounds.idleTimeoutMinutes)}.`}
            disabled={locked ?? (values.idleScaling ? undefined : 'Requires automatic idling.')}
          />
        </FieldGrid>
      </Panel>
    </>
  )
}
