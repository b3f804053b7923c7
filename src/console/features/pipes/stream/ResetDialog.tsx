import TextField from '@mui/material/TextField'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { invalidate } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { counted } from '#domain/text/words.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { offsetsInput, type OffsetsInput, type OffsetsPlan } from '#contract/pipeConsumers.ts'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { formatValue } from '#domain/charts/units.ts'
import { pipeName } from '../model/pipeLabels.ts'

const strategies = [
  { value: 'from_beginning', label: 'The beginning' },
  { value: 'from_latest', label: 'The end: only new records' },
  { value: 'from_timestamp', label: 'A time' },
  { value: 'to_offset', label: 'An offset of one partition' },
] as const
type Strategy = OffsetsInput['strategy']

interface ResetDialogProps {
  pipe: Pipe
  params: { serviceId: string; dataPipeId: string }
  onClose: () => void
}

/** Resets a stopped pipe to an offset or time: choose, preview, then start. */
export function ResetDialog({ pipe, params, onClose }: ResetDialogProps) {
  const connection = useConnection()
  const [strategy, setStrategy] = useState<Strategy>('from_beginning')
  const [timestamp, setTimestamp] = useState('')
  const [partition, setPartition] = useState('0')
  const [offset, setOffset] = useState('0')
  const input = inputOf(strategy, { timestamp, partition, offset })
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
      toast({ tone: 'ok', text: `“${pipeName(pipe)}” was reset, and starts.` })
    },
    onSettled: () => invalidate(connection.id, 'pipes'),
  })
  const change = (work: () => void) => {
    work()
    preview.reset()
  }
  const error = preview.error ?? reset.error
  const isBusy = preview.isPending || reset.isPending
  return (
    <FormDialog
      title={`Reset offsets of ${pipeName(pipe)}`}
      action={preview.data ? 'Reset and start' : 'Preview'}
      busy={isBusy}
      disabled={!input}
      onSubmit={() => {
        if (!input) return
        if (preview.data) reset.mutate(input)
        else preview.mutate(input)
      }}
      onClose={onClose}
    >
      {error && <SubmitError error={formatError(error, location.pathname)} />}
      <SelectInput
        label="Continue from"
        value={strategy}
        options={strategies}
        onChange={(chosen) => change(() => setStrategy(chosen))}
      />
      {strategy === 'from_timestamp' && (
        <TextField
          label="Time (UTC)"
          type="datetime-local"
          value={timestamp}
          onChange={(event) => change(() => setTimestamp(event.target.value.slice(0, 16)))}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      )}
      {strategy === 'to_offset' && (
        <>
          <TextField
            label="Partition"
            value={partition}
            onChange={(event) => change(() => setPartition(event.target.value))}
            slotProps={{ htmlInput: { inputMode: 'numeric' } }}
          />
          <TextField
            label="Offset"
            value={offset}
            onChange={(event) => change(() => setOffset(event.target.value))}
            slotProps={{ htmlInput: { inputMode: 'numeric' } }}
          />
        </>
      )}
      {preview.data && <Preview plan={preview.data} />}
    </FormDialog>
  )
}

/** What happens to the records between the two offsets. */
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

/** Null while a field is missing or not valid. */
function inputOf(
  strategy: Strategy,
  { timestamp, partition, offset }: { timestamp: string; partition: string; offset: string },
): OffsetsInput | null {
  const fields = {
    from_beginning: {},
    from_latest: {},
    from_timestamp: { timestamp },
    to_offset: { partition: numberOf(partition), offset: numberOf(offset) },
  }[strategy]
  return offsetsInput.safeParse({ strategy, ...fields }).data ?? null
}

const numberOf = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : null)
