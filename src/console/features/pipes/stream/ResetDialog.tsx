import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { invalidate } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DateTimeField } from '#console/ui/form/fields/DateTimeField.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { counted } from '#domain/text/words.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { offsetsInput, type OffsetsInput, type OffsetsPlan } from '#contract/cloud/pipes/pipeConsumers.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { formatValue } from '#domain/charts/units.ts'
import { pipeName } from '../model/pipeLabels.ts'

const strategies = [
  { value: 'from_beginning', label: 'The beginning' },
  { value: 'from_latest', label: 'The end: only new records' },
  { value: 'from_timestamp', label: 'A time' },
  { value: 'to_offset', label: 'An offset of one partition' },
] as const

const schema = z
  .object({
    strategy: offsetsInput.shape.strategy,
    /** ISO text in UTC. */
    timestamp: z.string(),
    partition: z.number().nullable(),
    offset: z.number().nullable(),
  })
  .superRefine((form, context) => {
    for (const { path, message } of offsetsInput.safeParse(inputOf(form)).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [...path], message })
    }
  })
type ResetForm = z.infer<typeof schema>

interface ResetDialogProps {
  pipe: Pipe
  params: { serviceId: string; dataPipeId: string }
  onClose: () => void
}

/** Resets a stopped pipe to an offset or time: choose, preview, then start. */
export function ResetDialog({ pipe, params, onClose }: ResetDialogProps) {
  const connection = useConnection()
  const {
    control,
    formState: { isValid },
    handleSubmit,
  } = useSchemaForm(schema, {
    strategy: 'from_beginning',
    timestamp: '',
    partition: 0,
    offset: 0,
  })
  const values = useWatch({ control, compute: (form: ResetForm) => form })
  const { strategy } = values
  const preview = useMutation({
    mutationFn: (body: OffsetsInput) => call(connection.id, pipes.previewOffsets, { params, body }),
  })
  const reset = useMutation({
    mutationFn: async (body: OffsetsInput) => {
      await call(connection.id, pipes.resetOffsets, { params, body })
      await call(connection.id, pipes.state, { params, body: { command: 'start' } })
    },
    onSuccess: () => {
      onClose()
      toast({ tone: 'ok', text: `Data pipe ${pipeName(pipe)} reset. It starts.` })
    },
    onSettled: () => invalidate(connection.id, 'pipes'),
  })
  // Something else is previewed again before it is done.
  const isPreviewed = sameValue(preview.variables, inputOf(values))
  const plan = isPreviewed ? preview.data : undefined
  const send = handleSubmit((form) => {
    const body = offsetsInput.parse(inputOf(form))
    if (plan) reset.mutate(body)
    else preview.mutate(body)
  })
  const error = (isPreviewed ? preview.error : null) ?? reset.error
  return (
    <FormDialog
      title={`Reset offsets of ${pipeName(pipe)}`}
      action={plan ? 'Reset and start' : 'Preview'}
      busy={preview.isPending || reset.isPending}
      disabled={!isValid}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      {error && <SubmitError error={formatError(error, location.pathname)} />}
      <SelectField control={control} name="strategy" label="Continue from" options={strategies} />
      {strategy === 'from_timestamp' && (
        <DateTimeField control={control} name="timestamp" label="Time (UTC)" zone="utc" />
      )}
      {strategy === 'to_offset' && (
        <>
          <NumberField control={control} name="partition" label="Partition" />
          <NumberField control={control} name="offset" label="Offset" />
        </>
      )}
      {plan && <Preview plan={plan} />}
    </FormDialog>
  )
}

/** The effect on the records between the two offsets. */
function Preview({ plan: { partitions } }: { plan: OffsetsPlan }) {
  const sum = (of: (from: number, to: number) => number) =>
    partitions.reduce((total, { from, to }) => total + (from === null ? 0 : Math.max(0, of(from, to))), 0)
  const [again, skipped] = [sum((from, to) => from - to), sum((from, to) => to - from)]
  const ahead = partitions.reduce((total, { to, end }) => total + end - to, 0)
  return (
    <>
      {again > 0 && (
        <Notice tone="warning">
          {counted(again, 'record')} that the table has will be loaded again, and be there twice.
        </Notice>
      )}
      {skipped > 0 && <Notice tone="warning">{counted(skipped, 'record')} will not be loaded.</Notice>}
      <Text color="textSecondary">
        {counted(ahead, 'record')} to load in {counted(partitions.length, 'partition')}:{' '}
        {partitions
          .slice(0, 12)
          .map(({ partition, from, to }) => `${partition}: ${formatValue(from)} → ${formatValue(to)}`)
          .join(', ')}
        {partitions.length > 12 && ' …'}
      </Text>
    </>
  )
}

/** The fields of the strategy: its time to the minute. */
function inputOf({ strategy, timestamp, partition, offset }: ResetForm) {
  const fields = {
    from_beginning: {},
    from_latest: {},
    from_timestamp: { timestamp: timestamp.slice(0, 16) },
    to_offset: { partition, offset },
  }[strategy]
  return { strategy, ...fields }
}
