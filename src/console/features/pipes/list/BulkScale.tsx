import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { invalidate } from '#console/api/queries.ts'
import { logChange } from '#console/records/pendingChanges/changeLog.ts'
import { BulkDialog } from '#console/records/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { trackPendingChange } from '#console/records/pendingChanges/pendingChanges.ts'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { counted } from '#domain/text/words.ts'
import { draftSchema, emptyDraft, type Draft } from '../scaling/draft.ts'
import { effectiveValues, parametersFor, scalingValues } from '../model/scalingParameters.ts'
import { numericValues } from '../scaling/previousValues.ts'
import { useUnitRate } from '#console/records/scaling/savedRates.ts'
import { ScalingParameterField } from '../scaling/ScalingParameterField.tsx'
import { writeScaling } from '../scaling/writeScaling.ts'
import { pipeKey } from '../model/pipeResource.ts'
import type { PipeRow } from './usePipes.ts'
import { SkippedPipes } from './SkippedPipes.tsx'
import { pipeName } from '../model/pipeLabels.ts'
import { bulkCost, planBulkScaling } from './bulkScaling.ts'
import { Text } from '#console/ui/base/Text.tsx'

const { applicable: parameters } = parametersFor(null)
const schema = draftSchema(parameters, scalingValues(null))

/** Scales many pipes at once. Each pipe is sent the parameters that apply to its source type. */
export function BulkScale({ rows, onClose }: { rows: readonly PipeRow[]; onClose: () => void }) {
  const { id: connectionId } = useConnection()
  const form = useSchemaForm(schema, emptyDraft(parameters), { mode: 'onChange' })
  const draft = useWatch({ control: form.control, compute: (all: Draft) => all })
  const plan = useMemo(() => planBulkScaling(rows, draft), [rows, draft])
  const sent = plan.filter(({ reason }) => reason === null)
  const cost = bulkCost(sent, useUnitRate(connectionId))
  const touchedAny = Object.values(draft).some((value) => value !== null)
  const wrong = Object.keys(form.formState.errors).length > 0
  const task = async (row: PipeRow) => {
    const planned = sent.find((plannedScaling) => plannedScaling.row.id === row.id)
    if (!planned) return
    const params = { serviceId: row.serviceId, dataPipeId: row.id }
    await writeScaling(connectionId, params, row, planned.values)
    const resource = pipeKey(connectionId, row.id)
    const previous = numericValues(effectiveValues(row))
    trackPendingChange(resource, { values: planned.values, previous, changes: planned.changes, outcomeUnknown: false })
    logChange(resource, 'Scaled', planned.changes)
  }
  return (
    <BulkDialog
      title={`Scale ${counted(rows.length, 'data pipe')}`}
      rows={sent.map(({ row }) => ({ ...row, name: pipeName(row) }))}
      action={sent.length === 0 ? 'Scale' : `Scale ${counted(sent.length, 'data pipe')}`}
      disabled={wrong ? 'A value is out of range.' : sent.length === 0 ? 'No changes yet.' : undefined}
      task={task}
      stays
      onEnd={() => void invalidate(connectionId, 'pipes')}
      onClose={onClose}
    >
      <Text color="textSecondary">
        Only the values that you change are sent.
        {sent.length > 0 && ` ${sent.length === 1 ? '1 request' : `${sent.length} requests, one at a time`}.`}
      </Text>
      {cost && <Text>Total cost: {cost}.</Text>}
      <div>
        {parameters.map((parameter) => (
          <ScalingParameterField<Draft>
            key={parameter.field}
            control={form.control}
            name={parameter.field}
            parameter={parameter}
            current={null}
          />
        ))}
      </div>
      {touchedAny && (
        <SkippedPipes rows={plan.flatMap(({ row, reason }) => (reason === null ? [] : [{ row, reason }]))} />
      )}
    </BulkDialog>
  )
}
