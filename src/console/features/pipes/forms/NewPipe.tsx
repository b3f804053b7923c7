import { useState } from 'react'
import { useWatch, type Control } from 'react-hook-form'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { NewRecord } from '#console/shell/record/NewRecord.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { CardsField } from '#console/ui/form/fields/CardsField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { pipeKindNames } from '#contract/pipeKinds.ts'
import type { Service } from '#contract/services.ts'
import { pipeResource } from '../model/pipeResource.ts'
import { ColumnsField } from './ColumnsField.tsx'
import { createBody } from './createBody.ts'
import { DestinationFields } from './DestinationFields.tsx'
import { fieldProps } from './fieldProps.ts'
import { sourceTypeCards, sourceForms } from './sourceForms.tsx'
import { newModel } from './newModel.ts'
import { emptyForm, type PipeForm } from './pipeForm.ts'
import { PostgresReplication } from './PostgresFields.tsx'
import { reviewRows, withPlaceholders } from './reviewRows.ts'
import { TablesField } from './TablesField.tsx'
import { SourceSample } from './SourceSample.tsx'
import { ScalingAndSettingsFields } from './ScalingAndSettingsFields.tsx'
import { Text } from '#console/ui/base/Text.tsx'

/** Why a pipe cannot be created in a service. Undefined if it can. */
function blocker({ state }: Service): string | undefined {
  if (state === 'running') return undefined
  if (state === 'idle') return 'Idle: wake it first.'
  if (state === 'stopped') return 'Stopped: start it first.'
  return `Must be running (state: ${state?.replaceAll('_', ' ') ?? 'unknown'}).`
}

const noRunningService = 'No service is running. Start or wake a service to create a pipe.'

/** The form of a new data pipe. It is reviewed before it is sent. */
export function NewPipe({ services }: { services: readonly Service[] }) {
  const connection = useConnection()
  const running = services.filter((service) => blocker(service) === undefined)
  const first = running.find(({ id }) => id === connection.serviceId) ?? running[0]
  const [start] = useState(() => emptyForm(first?.id ?? ''))
  const locked = lockReason(connection)
  return (
    <NewRecord
      resource={pipeResource}
      model={newModel}
      start={start}
      lead="Load data from object storage, a stream or a database into a service."
      locked={locked ?? (first ? undefined : noRunningService)}
      parentKey={({ serviceId }) => [serviceId]}
      review={review}
    >
      {({ control }) => (
        <>
          {locked && <Notice tone="info">{locked}</Notice>}
          {!locked && !first && (
            <Notice tone="warning" action={<LinkButton to={paths.services(connection.id)}>View services</LinkButton>}>
              {noRunningService}
            </Notice>
          )}
          <PipeFields control={control} services={services} />
        </>
      )}
    </NewRecord>
  )
}

const review = {
  title: ({ name }: PipeForm) => `Create ${name.trim()}?`,
  commandBody: (form: PipeForm) => withPlaceholders(createBody(form)),
  render: (form: PipeForm) => (
    <>
      <DescriptionList rows={[['Source type', pipeKindNames[form.kind]], ...reviewRows(form, createBody(form))]} />
      <Text color="textSecondary">
        The pipe starts as soon as it is created, and its compute is billed from then on. A source that cannot be read
        shows in its state. Secrets are not shown here or in the command.
      </Text>
    </>
  ),
}

interface PipeFieldsProps {
  control: Control<PipeForm>
  services: readonly Service[]
}

function PipeFields({ control, services }: PipeFieldsProps) {
  const kind = useWatch({ control, name: 'kind' })
  const isDatabase = kind === 'postgres'
  const fields = { control, locked: undefined }
  const { Source, Credentials } = sourceForms[kind]
  return (
    <>
      <Panel title="General">
        <FieldGrid columns={1}>
          <CardsField {...fieldProps(fields, 'kind')} cards={sourceTypeCards} />
          <FieldGrid>
            <TextField {...fieldProps(fields, 'name')} required maxLength={255} />
            <SelectField
              {...fieldProps(fields, 'serviceId')}
              required
              options={services.map((service) => ({
                value: service.id,
                label: service.name ?? service.id,
                disabled: blocker(service),
              }))}
            />
          </FieldGrid>
        </FieldGrid>
      </Panel>
      <Panel title={`Source: ${pipeKindNames[kind]}`}>
        <Source {...fields} />
      </Panel>
      <Panel title="Credentials" aside="Not shown again after saving">
        <Credentials {...fields} />
      </Panel>
      {isDatabase && (
        <>
          <Panel title="Tables">
            <TablesField {...fields} />
          </Panel>
          <Panel title="Replication" aside="Optional">
            <PostgresReplication {...fields} isNew />
          </Panel>
        </>
      )}
      {isDatabase && (
        <Panel title="Connection" aside="Optional">
          <SourceSample control={control} />
        </Panel>
      )}
      {!isDatabase && (
        <Panel title="Columns">
          <ColumnsField {...fields} renderSample={(onUse) => <SourceSample control={control} onUse={onUse} />} />
        </Panel>
      )}
      <Panel title="Destination">
        <DestinationFields {...fields} isDatabase={isDatabase} />
      </Panel>
      <ScalingAndSettingsFields {...fields} kind={kind} />
    </>
  )
}
