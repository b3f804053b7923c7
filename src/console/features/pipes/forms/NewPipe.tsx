import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ReviewDialog } from '#console/shell/record/ReviewDialog.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { CardsField } from '#console/ui/form/CardsField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { pipeCreateStrict } from '#contract/pipeInputs.ts'
import { pipeKindNames } from '#contract/pipeKinds.ts'
import { pipes } from '#contract/pipes.ts'
import type { Service } from '#contract/services.ts'
import { ColumnsField } from './ColumnsField.tsx'
import { createBody } from './createBody.ts'
import { DestinationFields } from './DestinationFields.tsx'
import { fieldProps } from './fieldProps.ts'
import { sourceTypeCards, sourceForms } from './sourceForms.tsx'
import type { PipeForm } from './pipeForm.ts'
import { PostgresReplication } from './PostgresFields.tsx'
import { reviewRows, withPlaceholders } from './reviewRows.ts'
import { TablesField } from './TablesField.tsx'
import { ScalingAndSettingsFields } from './ScalingAndSettingsFields.tsx'
import { useCreatePipe } from './useCreatePipe.ts'
import { Text } from '#console/ui/base/Text.tsx'

interface NewPipeProps {
  title: string
  services: readonly Service[]
}

/** Why a pipe cannot be created in a service. Undefined if it can. */
function blocker({ state }: Service): string | undefined {
  if (state === 'running') return undefined
  if (state === 'idle') return 'Idle: wake it first.'
  if (state === 'stopped') return 'Stopped: start it first.'
  return `Must be running (state: ${state?.replaceAll('_', ' ') ?? 'unknown'}).`
}

const noRunningService = 'No service is running. Start or wake a service to create a pipe.'

/** The form of a new data pipe. It is reviewed before it is sent. */
export function NewPipe({ title, services }: NewPipeProps) {
  const connection = useConnection()
  const navigate = useNavigate()
  const running = services.filter((service) => blocker(service) === undefined)
  const first = running.find(({ id }) => id === connection.serviceId) ?? running[0]
  const { form, send, error, clear, pending, unknown } = useCreatePipe(first?.id ?? '')
  const [reviewed, setReviewed] = useState<PipeForm | null>(null)
  const { control } = form
  const kind = useWatch({ control, name: 'kind' })
  const isDatabase = kind === 'postgres'
  const list = paths.pipes(connection.id)
  const locked = lockReason(connection)
  const fields = { control, locked: undefined }
  const { Source, Credentials } = sourceForms[kind]
  const review = form.handleSubmit((values) => {
    clear()
    setReviewed(values)
  })
  return (
    <Page title={title} lead="Load data from object storage, a stream or a database into a service.">
      <FormPage
        onSubmit={() => void review()}
        submitLabel="Review and create"
        onCancel={() => void navigate({ to: list })}
        loading={pending}
        submitError={error}
        errorAction={unknown && <LinkButton to={list}>View data pipes</LinkButton>}
        dirty={form.formState.isDirty}
        changes="1 new data pipe · 1 API request"
        disabled={locked ?? (first ? undefined : noRunningService)}
      >
        {locked && <Notice tone="info">{locked}</Notice>}
        {!locked && !first && (
          <Notice tone="warning" action={<LinkButton to={paths.services(connection.id)}>View services</LinkButton>}>
            {noRunningService}
          </Notice>
        )}
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
        {!isDatabase && (
          <Panel title="Columns">
            <ColumnsField {...fields} />
          </Panel>
        )}
        <Panel title="Destination">
          <DestinationFields {...fields} isDatabase={isDatabase} />
        </Panel>
        <ScalingAndSettingsFields {...fields} kind={kind} />
      </FormPage>
      {reviewed && (
        <Review
          form={reviewed}
          locked={locked}
          onSend={() => {
            setReviewed(null)
            send(reviewed)
          }}
          onClose={() => setReviewed(null)}
        />
      )}
    </Page>
  )
}

interface ReviewProps {
  form: PipeForm
  locked: string | undefined
  onSend: () => void
  onClose: () => void
}

function Review({ form, locked, onSend, onClose }: ReviewProps) {
  const connection = useConnection()
  const body = createBody(form)
  const parsed = pipeCreateStrict.safeParse(withPlaceholders(body))
  const params = { serviceId: form.serviceId }
  return (
    <ReviewDialog
      title={`Create ${form.name.trim()}?`}
      changes={[]}
      requests={['write']}
      command={parsed.success ? curlOf(connection, pipes.create, { params, body: parsed.data }) : null}
      action="Create pipe"
      disabled={locked}
      onSend={onSend}
      onClose={onClose}
    >
      <DescriptionList rows={[['Source type', pipeKindNames[form.kind]], ...reviewRows(form, body)]} />
      <Text color="textSecondary">
        The deployment tests the connection to the source first. The pipe starts as soon as it is created, and its
        compute is billed from then on. Secrets are not shown here or in the command.
      </Text>
    </ReviewDialog>
  )
}
