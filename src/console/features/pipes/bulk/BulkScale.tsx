import { zodResolver } from '@hookform/resolvers/zod'
import Typography from '@mui/material/Typography'
import { useMemo } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { invalidate } from '#console/api/queries.ts'
import { noteChange } from '#console/shell/following/changeLog.ts'
import { BulkDialog } from '#console/shell/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { follow } from '#console/shell/following/convergence.ts'
import { SliderField } from '#console/ui/form/SliderField.tsx'
import { draftSchema, unchanged, type Draft } from '../scaling/draft.ts'
import { boundsWords, inForce, knobsFor, valuesOf, valueWords } from '../scaling/knobs.ts'
import { numbersOf } from '../scaling/former.ts'
import { useUnitRate } from '../scaling/rate.ts'
import { writeScaling } from '../scaling/writeScaling.ts'
import { pipeThing } from '../usePipe.ts'
import type { PipeRow } from '../usePipes.ts'
import { LeftOut } from './LeftOut.tsx'
import { pipeName } from '../pipeLabels.ts'
import { costOf, shareOut } from './bulkScale.ts'
import { counted } from '#console/ui/format.ts'

const { turning: knobs } = knobsFor(null)
const resolver = zodResolver(draftSchema(knobs, valuesOf(null)))

/** One set of knobs for many pipes, unchanged until turned; each pipe is sent what its kind has. */
export function BulkScale({ rows, onClose }: { rows: readonly PipeRow[]; onClose: () => void }) {
  const { id: connectionId } = useConnection()
  const form = useForm<Draft>({ defaultValues: unchanged(knobs), resolver, mode: 'onChange' })
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
    const thing = pipeThing(connectionId, row.id)
    const former = numbersOf(inForce(row))
    follow(thing, { values: share.values, former, changes: share.changes, uncertain: false })
    noteChange(thing, 'Scaled', share.changes)
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
        {knobs.map((knob) => (
          <SliderField<Draft>
            key={knob.field}
            control={form.control}
            name={knob.field}
            label={knob.title}
            range={knob.range}
            bounds={boundsWords(knob)}
            unit={knob.unit}
            current={null}
            marks={knob.marks}
            words={(value) => valueWords(knob, value)}
          />
        ))}
      </div>
      {touchedAny && <LeftOut rows={shares.flatMap(({ row, reason }) => (reason === null ? [] : [{ row, reason }]))} />}
    </BulkDialog>
  )
}
