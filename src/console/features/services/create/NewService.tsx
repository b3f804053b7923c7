import { useState } from 'react'
import { useWatch, type Control, type UseFormReturn } from 'react-hook-form'
import type { Output } from '#contract/wire/kernel.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { NewPage } from '#console/records/record/NewPage.tsx'
import { showRefusals, useRecordForm } from '#console/records/record/recordForm.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { RangeSliderField } from '#console/ui/form/fields/RangeSliderField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SliderField } from '#console/ui/form/fields/SliderField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { capitalized } from '#domain/text/words.ts'
import { maxServiceName } from '#contract/cloud/services/serviceNames.ts'
import { releaseChannels, serviceCreate, services } from '#contract/cloud/services/services.ts'
import { providers, serviceRegions } from '#contract/cloud/services/serviceRegions.ts'
import { providerLabel } from '../model/serviceLabels.ts'
import { memoryNote, memorySlider, replicaSlider } from '../model/sizeSliders.ts'
import { ServiceCostPanel } from '../scaling/ServiceCostPanel.tsx'
import { totalMemoryOf } from '../scaling/serviceCost.ts'
import { CreatedService } from './CreatedService.tsx'
import { newServiceForm, newServiceTitles as titles, type NewServiceForm } from './newServiceForm.ts'

const pagesOf = {
  longNoun: 'service',
  paths: { list: paths.services, new: paths.newService, detail: paths.service, edit: paths.editService },
}

/** The form of a new service, then its password, which no later request returns. */
export function NewService({ start }: { start: NewServiceForm }) {
  const connection = useConnection()
  const { form } = useRecordForm(newServiceForm, start, null, connection)
  const { isDirty } = form.formState
  const [created, setCreated] = useState<Output<typeof services.create> | null>(null)
  const [error, setError] = useState<ErrorText | null>(null)
  const write = useApiMutation(connection.id, services.create, {
    onSuccess: setCreated,
    onError: (failure) => setError(showRefusals(newServiceForm, form, failure, null)),
    titles,
  })
  const submit = form.handleSubmit((filled) => {
    setError(null)
    write.mutate({ body: serviceCreate.parse(newServiceForm.body(filled, null, connection, null)) })
  })
  if (created) return <CreatedService created={created} />
  return (
    <NewPage
      resource={pagesOf}
      lead="A database service of the organization. Its password is shown once, after it is created."
      creating={{ pending: write.isPending, error, unknown: write.error?.code === 'outcomeUnknown' }}
      onSubmit={() => void submit()}
      submitLabel="Create service"
      dirty={isDirty || start.backupId !== ''}
      locked={lockReason(connection)}
      wide={false}
    >
      <Fields form={form} restores={start.backupId !== ''} />
    </NewPage>
  )
}

interface FieldsProps {
  form: UseFormReturn<NewServiceForm>
  /** The service gets the rows of a backup. */
  restores: boolean
}

function Fields({ form, restores }: FieldsProps) {
  const { control } = form
  const idles = useWatch({ control, name: 'idleScaling' })
  return (
    <>
      {restores && (
        <Notice tone="info">
          The new service gets databases of its own with the rows of the backup. The service of the backup stays as it
          is.
        </Notice>
      )}
      <PlacePanel form={form} restores={restores} />
      <Panel title="Access">
        <TextField
          control={control}
          name="access"
          label={titles.access}
          lines={2}
          mono
          placeholder="203.0.113.0/24"
          help="One address or range on each line. Without any, no IP address can access the service."
        />
      </Panel>
      <SizePanels control={control} idles={idles} />
      <Panel title="Idling">
        <FieldGrid>
          <SwitchField control={control} name="idleScaling" label={titles.idleScaling} />
          <NumberField
            control={control}
            name="idleTimeoutMinutes"
            label={titles.idleTimeoutMinutes}
            unit="min"
            help="At least 5"
            disabled={idles ? undefined : 'The service does not idle.'}
          />
        </FieldGrid>
      </Panel>
    </>
  )
}

/** The name of the service, and where it runs. */
function PlacePanel({ form: { control, setValue }, restores }: FieldsProps) {
  const provider = useWatch({ control, name: 'provider' })
  const known = providers.find((candidate) => candidate === provider)
  const regions: readonly string[] = known ? serviceRegions[known] : []
  const fixed = restores ? 'A backup is restored where its service is.' : undefined
  return (
    <Panel title="Service">
      <FieldGrid>
        <TextField
          control={control}
          name="name"
          label={titles.name}
          required
          maxLength={maxServiceName}
          help={`At most ${maxServiceName} characters.`}
        />
        <SelectField
          control={control}
          name="releaseChannel"
          label={titles.releaseChannel}
          options={releaseChannels.map((value) => ({ value, label: capitalized(value) }))}
        />
        <SelectField
          control={control}
          name="provider"
          label={titles.provider}
          options={providers.map((value) => ({ value, label: providerLabel(value) }))}
          disabled={fixed}
          onPick={(picked) => {
            const next = providers.find((candidate) => candidate === picked)
            if (next) setValue('region', serviceRegions[next][0], { shouldValidate: true })
          }}
        />
        <SelectField
          control={control}
          name="region"
          label={titles.region}
          options={regions.map((value) => ({ value, label: value }))}
          disabled={fixed}
          required
        />
      </FieldGrid>
    </Panel>
  )
}

/** The replicas and their memory, and their cost. */
function SizePanels({ control, idles }: { control: Control<NewServiceForm>; idles: boolean }) {
  const [numReplicas, minReplicaMemoryGb, maxReplicaMemoryGb] = useWatch({
    control,
    name: ['numReplicas', 'minReplicaMemoryGb', 'maxReplicaMemoryGb'],
  })
  return (
    <>
      <Panel title="Size">
        <SliderField
          control={control}
          name="numReplicas"
          label={titles.numReplicas}
          {...replicaSlider('numReplicas')}
          current={null}
          placeholder="default"
        />
        <RangeSliderField
          control={control}
          {...memorySlider}
          label="Memory per replica"
          min={{ name: 'minReplicaMemoryGb', label: titles.minReplicaMemoryGb, current: null }}
          max={{ name: 'maxReplicaMemoryGb', label: titles.maxReplicaMemoryGb, current: null }}
          placeholder="default"
          help={memoryNote({}, maxReplicaMemoryGb)}
        />
      </Panel>
      <ServiceCostPanel after={totalMemoryOf({ numReplicas, minReplicaMemoryGb, maxReplicaMemoryGb })} idles={idles} />
    </>
  )
}
