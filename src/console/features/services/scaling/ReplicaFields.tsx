import type { Control, UseFormReturn } from 'react-hook-form'
import { sizeTitles } from '#console/records/scaling/sizeFields.ts'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import type { Load } from '#console/ui/form/fields/sliderParts.tsx'
import { RangeSliderField } from '#console/ui/form/fields/RangeSliderField.tsx'
import { SliderField } from '#console/ui/form/fields/SliderField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { formatBound } from '#contract/cloud/bounds.ts'
import { capitalized } from '#domain/text/words.ts'
import { autoscalingModes, type Service } from '#contract/cloud/services/services.ts'
import { memoryNote, memorySlider, replicaSlider } from '../model/sizeSliders.ts'
import { bounds, type NumberField as Field, type ReplicaForm } from './replicaForm.ts'

interface ReplicaFieldsProps {
  form: UseFormReturn<ReplicaForm>
  values: ReplicaForm
  /** The service with the pending change applied. */
  service: Service
  /** The service as reported. */
  inForce: Service
  /** The memory that a replica used over the last day. */
  load: Load | undefined
  locked: string | undefined
}

const modeDetails: Record<(typeof autoscalingModes)[number], string> = {
  vertical: 'fixed number of replicas, automatic memory',
  horizontal: 'automatic number of replicas, fixed memory; not available to every organization',
}

/** The fields of the selected scaling mode. Those of the other mode are not sent. */
export function ReplicaFields({ form, values, service, inForce, load, locked }: ReplicaFieldsProps) {
  const { control } = form
  const horizontal = values.autoscalingMode === 'horizontal'
  const replicas = (field: Field) => (
    <SliderField<ReplicaForm>
      key={field}
      control={control}
      name={field}
      label={sizeTitles[field]}
      {...replicaSlider(field)}
      current={service[field] ?? null}
      inForce={inForce[field] ?? null}
      disabled={locked}
    />
  )
  const memory = (field: Field) => ({
    name: field,
    label: sizeTitles[field],
    current: service[field] ?? null,
    inForce: inForce[field] ?? null,
  })
  return (
    <>
      <Panel title="Size">
        <SelectField
          control={control}
          name="autoscalingMode"
          label={sizeTitles.autoscalingMode}
          options={autoscalingModes.map((value) => ({ value, label: capitalized(value), detail: modeDetails[value] }))}
          disabled={locked}
        />
        {horizontal ? (
          <>
            {replicas('minReplicas')}
            {replicas('maxReplicas')}
            <SliderField<ReplicaForm>
              control={control}
              {...memory('minReplicaMemoryGb')}
              {...memorySlider}
              label="Memory per replica"
              load={load}
              help={memoryNote(service, values.minReplicaMemoryGb ?? service.minReplicaMemoryGb)}
              disabled={locked}
            />
          </>
        ) : (
          <>
            {replicas('numReplicas')}
            <RangeSliderField<ReplicaForm>
              control={control}
              {...memorySlider}
              label="Memory per replica"
              min={memory('minReplicaMemoryGb')}
              max={memory('maxReplicaMemoryGb')}
              load={load}
              help={memoryNote(service, values.maxReplicaMemoryGb ?? service.maxReplicaMemoryGb)}
              disabled={locked}
            />
          </>
        )}
      </Panel>
      <IdlingPanel control={control} idles={values.idleScaling} service={service} locked={locked} />
    </>
  )
}

interface IdlingPanelProps {
  control: Control<ReplicaForm>
  idles: boolean
  /** The service with the pending change applied. */
  service: Service
  locked: string | undefined
}

function IdlingPanel({ control, idles, service, locked }: IdlingPanelProps) {
  return (
    <Panel title="Idling">
      <FieldGrid>
        <SwitchField
          control={control}
          name="idleScaling"
          label={sizeTitles.idleScaling}
          help="An idle service uses no compute. The next query wakes it."
          disabled={locked}
        />
        <NumberField
          control={control}
          name="idleTimeoutMinutes"
          label={sizeTitles.idleTimeoutMinutes}
          unit="min"
          placeholder={service.idleTimeoutMinutes == null ? '' : `unchanged (${service.idleTimeoutMinutes})`}
          help={`${formatBound(bounds.idleTimeoutMinutes)}.`}
          disabled={locked ?? (idles ? undefined : 'Requires automatic idling.')}
        />
      </FieldGrid>
    </Panel>
  )
}
