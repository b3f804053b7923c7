import { zodResolver } from '@hookform/resolvers/zod'
import Typography from '@mui/material/Typography'
import { useMemo } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { invalidate } from '#console/api/queries.ts'
import { noteChange } from '#console/shell/pendingChanges/changeLog.ts'
import { BulkDialog } from '#console/shell/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { trackPendingChange } from '#console/shell/pendingChanges/pendingChanges.ts'
import { SliderField } from '#console/ui/form/SliderField.tsx'
import { draftSchema, unchanged, type Draft } from '../scaling/draft.ts'
import { formatBounds, inForce, knobsFor, valuesOf, formatScalingValue } from '../model/scalingParameters.ts'
import { numbersOf } from '../scaling/previousValues.ts'
import { useUnitRate } from '../scaling/unitRate.ts'
import { writeScaling } from '../scaling/writeScaling.ts'
import { pipeKey } from '../model/usePipe.ts'
import type { PipeRow } from './usePipes.ts'
import { LeftOut } from './SkippedPipes.tsx'
import { pipeName } from '../model/pipeLabels.ts'
import { costOf, shareOut } from './bulkScaling.ts'
import { counted } from '#console/ui/format.ts'

const { turning: parameters } = knobsFor(null)
const resolver = zodResolver(draftSchema(parameters, valuesOf(null)))

/** One set of parameters for many pipes, unchanged until turned; each pipe is sent what its kind has. */
export function BulkScale({ rows, onClose }: { rows: readonly PipeRow[]; onClose: () => void }) {
  const { id: connectionId } = useConnection()
  const form = useForm<Draft>({ defaultValues: unchanged(parameters), resolver, mode: 'onChange' })
  const draft = useWatch({ control: form.control, compute: (all: Draft) => all })
  const shares = useMemo(() => shareOut(rows, draft), [rows, draft])
  const sent = shares.filter(({ reason }) => reason === null)
  const cost = costOf(sent, useUnitRate(connectionId))
  const touchedAny = Object.values(draft).some((value) => value !== null)
  const wrong = Object.keys(form.formState.errors).length > 0
  const task = async (row: PipeRow) => {
    const share = sent.find((one) => one.row.id === row.id)
    if (!share) return
    const params = { serviceId: row.serviceId, dataPipeId: row.id }
    await writeScaling(connectionId, params, row, share.values)
    const resource = pipeKey(connectionId, row.id)
    const former = numbersOf(inForce(row))
    trackPendingChange(resource, { values: share.values, former, changes: share.changes, uncertain: false })
    noteChange(resource, 'Scaled', share.changes)
  }
  return (
    <BulkDialog
      title={`Scale ${counted(rows.length, 'data pipe')}`}
      rows={sent.map(({ row }) => ({ ...row, name: pipeName(row) }))}
      action={sent.length === 0 ? 'Scale' : `Scale ${counted(sent.length, 'data pipe')}`}
      disabled={wrong ? 'A value is out of bounds.' : sent.length === 0 ? 'Nothing was turned.' : undefined}
      task={task}
      stays
      onEnd={() => void invalidate(connectionId, 'pipes')}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        What you do not touch stays as it is.
        {sent.length > 0 && ` ${sent.length === 1 ? '1 request' : `${sent.length} requests, one after the other`}.`}
      </Typography>
      {cost && <Typography>Together they cost {cost}.</Typography>}
      <div>
        {parameters.map((parameter) => (
          <SliderField<Draft>
            key={parameter.field}
            control={form.control}
            name={parameter.field}
            label={parameter.title}
            range={parameter.range}
            bounds={formatBounds(parameter)}
            unit={parameter.unit}
            current={null}
            marks={parameter.marks}
            words={(value) => formatScalingValue(parameter, value)}
          />
        ))}
      </div>
      {touchedAny && <LeftOut rows={shares.flatMap(({ row, reason }) => (reason === null ? [] : [{ row, reason }]))} />}
    </BulkDialog>
  )
}
