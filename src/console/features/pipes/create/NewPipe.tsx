import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { sessionQuery } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { NewPage } from '#console/records/record/NewPage.tsx'
import { showRefusals, useRecordForm } from '#console/records/record/recordForm.ts'
import { useRecordCreate } from '#console/records/record/useRecordCreate.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { databaseIn, type DiscoveredField, type Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { pipeKindNames } from '#contract/cloud/pipeKinds.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { counted } from '#domain/text/words.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { emptyColumn, emptyForm, type ColumnRow, type PipeForm } from '../forms/pipeForm.ts'
import { columnName } from '../forms/sampleColumns.ts'
import { pipeName } from '../model/pipeLabels.ts'
import { pipeResource } from '../model/pipeResource.ts'
import { newModel, serviceBlocker } from './newModel.ts'
import { forgetPipeDraft, keepPipeDraft, readPipeDraft } from './pipeDraft.ts'
import { PipeCost } from './PipeCost.tsx'
import { DestinationStep, PreviewStep, SourceStep } from './fieldSteps.tsx'
import { ReviewStep } from './ReviewStep.tsx'
import { SettingsFields, SizeFields } from './SizeFields.tsx'
import { StepRail } from './StepRail.tsx'
import { steps, stepTitles, type Step, useSteps } from './useSteps.ts'
import { useSourceTest } from './useSourceTest.ts'
import * as css from './newPipe.module.css'

const noRunningService = 'No service is running. Start or wake a service to create a pipe.'

/** A new data pipe in four steps. Nothing is created before the last one. */
export function NewPipe({ services }: { services: readonly Service[] }) {
  const connection = useConnection()
  const running = services.filter((service) => serviceBlocker(service) === undefined)
  const first = running.find(({ id }) => id === connection.serviceId) ?? running[0]
  const [start] = useState(() => emptyForm(first?.id ?? ''))
  const { form, values } = useRecordForm(newModel, start, null, connection)
  const { control } = form
  // Read in every render: the form only keeps this up to date where it is read.
  const { isDirty } = form.formState
  const draft = usePipeDraft(connection.id, form, values)
  const test = useSourceTest(values, (found) => fillInFound(form, found))
  const { step, open, openField, openError, headingRef } = useSteps(form, (opened) => {
    if (opened === 'preview' && test.reason === undefined && !test.found && !test.pending) test.run()
  })
  const { send, ...creating } = useSend(form, draft.onCreated, openError)
  const at = steps.indexOf(step)
  const [before, next] = [steps[at - 1], steps[at + 1]]
  const locked = lockReason(connection)
  const tables = test.found ? databaseIn(test.found.meta)?.tables : undefined
  const serviceName = services.find(({ id }) => id === values.serviceId)?.name ?? values.serviceId
  return (
    <NewPage
      resource={pipeResource}
      lead="Load data from object storage, a stream or a database into a service."
      state={at > 0 && <StatusChip tone="neutral">{pipeKindNames[values.kind]}</StatusChip>}
      creating={creating}
      onSubmit={() => void (next ? open(next) : send())}
      submitLabel={next ? `Next: ${stepTitles[next]}` : 'Create pipe'}
      onBack={before && (() => void open(before))}
      progress={next ? 'Nothing is created before step 4.' : '1 pipe. 1 request.'}
      dirty={isDirty}
      locked={locked ?? (first ? undefined : noRunningService)}
      wide
    >
      {locked && <Notice tone="info">{locked}</Notice>}
      {!locked && !first && (
        <Notice tone="warning" action={<LinkButton to={paths.services(connection.id)}>View services</LinkButton>}>
          {noRunningService}
        </Notice>
      )}
      <DraftNotice draft={draft} />
      <div className={css.wizard} data-cost={at > 0 || undefined}>
        <StepRail
          step={step}
          summaries={summariesOf(values, tables?.length, serviceName)}
          onOpen={(to) => void open(to)}
        />
        <section aria-labelledby="step-title">
          <Column gap={16}>
            <div ref={headingRef} tabIndex={-1} className={css.title}>
              <Text variant="h2" id="step-title">
                Step {at + 1} of {steps.length}: {stepTitles[step]}
              </Text>
            </div>
            {step === 'source' && <SourceStep control={control} />}
            {step === 'preview' && (
              <PreviewStep form={form} test={test} service={serviceName} onEdit={openField} columnOf={columnOf} />
            )}
            {step === 'destination' && <DestinationStep control={control} services={services} />}
            {step === 'review' && (
              <>
                <SizeFields control={control} kind={values.kind} />
                <SettingsFields control={control} kind={values.kind} />
                <ReviewStep form={values} service={serviceName} onEdit={(to) => void open(to)} />
              </>
            )}
          </Column>
        </section>
        {at > 0 && <PipeCost connectionId={connection.id} form={values} tables={tables} />}
      </div>
    </NewPage>
  )
}

/** Creates the pipe of the form. `onRefused` is called when a field is refused, here or by the deployment. */
function useSend(form: UseFormReturn<PipeForm>, onCreated: () => void, onRefused: () => void) {
  const connection = useConnection()
  const { create, ...creating } = useRecordCreate(pipes.create, {
    noun: pipeResource.longNoun,
    nameOf: pipeName,
    titles: newModel.titles,
    pathOf: ({ id }, { params }) => {
      onCreated()
      return paths.pipe(connection.id, params.serviceId, id)
    },
    showFailure: (failure) => {
      const left = showRefusals(newModel, form, failure, null)
      onRefused()
      return left
    },
  })
  const send = form.handleSubmit(
    (filled) =>
      create({
        params: { serviceId: filled.serviceId },
        body: pipes.create.body.parse(newModel.body(filled, null, connection, null)),
      }),
    onRefused,
  )
  return { send, ...creating }
}

function DraftNotice({ draft: { offered, discard, resume } }: { draft: ReturnType<typeof usePipeDraft> }) {
  if (!offered) return null
  return (
    <Notice
      tone="info"
      action={
        <>
          <Button onClick={discard}>Discard draft</Button>
          <Button onClick={resume}>Continue draft</Button>
        </>
      }
    >
      An unfinished pipe was kept in this browser, last changed <Timestamp iso={new Date(offered.at).toISOString()} />.
      Secrets are not kept: enter them again.
    </Notice>
  )
}

/** Milliseconds after the last change until it is kept. */
const pause = 1000

/** Keeps what was entered, and offers what an earlier visit has left. */
function usePipeDraft(connectionId: string, form: UseFormReturn<PipeForm>, values: PipeForm) {
  const { data: session } = useQuery(sessionQuery)
  const owner = `${session?.person?.email ?? ''}/${connectionId}`
  const [offered, setOffered] = useState(() => readPipeDraft(owner))
  const [isCreated, setCreated] = useState(false)
  const { isDirty } = form.formState
  useEffect(() => {
    if (!isDirty || isCreated) return undefined
    const timer = setTimeout(() => keepPipeDraft(owner, values, Date.now()), pause)
    return () => clearTimeout(timer)
  }, [owner, isDirty, isCreated, values])
  return {
    // The typed text replaces it.
    offered: isDirty ? null : offered,
    resume: () => {
      if (!offered) return
      const { serviceId } = form.getValues()
      form.reset({ ...offered.form, serviceId: offered.form.serviceId || serviceId }, { keepDefaultValues: true })
      setOffered(null)
    },
    discard: () => {
      forgetPipeDraft(owner)
      setOffered(null)
    },
    /** The pipe exists: nothing of it is kept any more. */
    onCreated: () => {
      setCreated(true)
      forgetPipeDraft(owner)
    },
  }
}

/** Fills in the columns that a test of the source found. Of a database, drops the rows without a table: its tables are chosen. */
function fillInFound(form: UseFormReturn<PipeForm>, { fields, meta }: Discovery): void {
  const { tableMappings } = form.getValues('source.postgres')
  if (databaseIn(meta)) {
    form.setValue(
      'source.postgres.tableMappings',
      tableMappings.filter(({ sourceTable }) => sourceTable !== ''),
    )
  } else if (fields.length > 0 && sameValue(form.getValues('destination.columns'), [emptyColumn])) {
    form.setValue('destination.columns', fields.map(columnOf), { shouldDirty: true, shouldValidate: true })
  }
}

function columnOf({ name, type, optional }: DiscoveredField): ColumnRow {
  const column = columnName(name)
  const canBeNull = optional && !/^(?:Array|Map|Tuple|Nested|JSON|Dynamic|Variant)\b/.test(type)
  return { source: column === name ? '' : name, name: column, type: canBeNull ? `Nullable(${type})` : type }
}

/** The choice of each step, in a few words. */
function summariesOf(form: PipeForm, tables: number | undefined, service: string): Record<Step, string> {
  const { kind, source, destination } = form
  const { objectStorage, kafka, kinesis, postgres } = source
  const place = {
    objectStorage: objectStorage.url,
    kafka: kafka.topics,
    kinesis: kinesis.streamName,
    postgres: postgres.host,
  }
  const chosen = postgres.tableMappings.filter(({ sourceTable }) => sourceTable !== '').length
  const columns = destination.columns.filter(({ name }) => name !== '').length
  const data =
    kind === 'postgres'
      ? chosen > 0 && (tables === undefined ? counted(chosen, 'table') : `${chosen} of ${counted(tables, 'table')}`)
      : columns > 0 && counted(columns, 'column')
  const target = kind === 'postgres' ? destination.database : destination.table
  return {
    source: [pipeKindNames[kind], place[kind]].filter(Boolean).join(', '),
    preview: data || 'connection and data',
    destination: target ? `${service}, ${target}` : service,
    review: 'cost, what is created',
  }
}
