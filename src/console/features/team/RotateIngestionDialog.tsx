import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { nameToConfirm } from '#console/shell/stage/stageLabels.ts'
import { useTypedConfirmation } from '#console/shell/stage/useTypedConfirmation.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { maxOverlapMinutes, team } from '#contract/stack/team.ts'

const overlaps = [
  { minutes: 0, label: 'No overlap: refused at once' },
  { minutes: 60, label: '1 hour' },
  { minutes: 24 * 60, label: '1 day' },
  { minutes: 7 * 24 * 60, label: '7 days' },
  { minutes: maxOverlapMinutes, label: '30 days' },
]
const options = overlaps.map(({ minutes, label }) => ({ value: String(minutes), label }))

const schema = z.object({ overlapMinutes: z.string() })

/** Replaces the ingestion key, with a choice of how long the old one stays valid. */
export function RotateIngestionDialog({ keyId, onClose }: { keyId: string; onClose: () => void }) {
  const connection = useConnection()
  const { control, handleSubmit } = useSchemaForm(schema, { overlapMinutes: String(24 * 60) })
  const overlapMinutes = useWatch({ control, name: 'overlapMinutes' })
  const confirmation = useTypedConfirmation(nameToConfirm(connection))
  const rotate = useApiMutation(connection.id, team.rotateIngestionKey, {
    onSuccess: () => {
      toast({ tone: 'ok', text: 'Ingestion key rotated' })
      onClose()
    },
  })
  const send = handleSubmit((form) => rotate.mutate({ body: { keyId, overlapMinutes: Number(form.overlapMinutes) } }))
  return (
    <FormDialog
      title="Rotate the ingestion key"
      action="Rotate key"
      busy={rotate.isPending}
      disabled={confirmation.reason !== undefined}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {rotate.isError && <SubmitError error={formatError(rotate.error)} />}
      <SelectField
        control={control}
        name="overlapMinutes"
        label="The old key stays valid for"
        options={options}
        help="Time to give the new key to everything that sends telemetry."
      />
      {overlapMinutes === '0' && (
        <Notice tone="warning" role="status">
          Senders are refused until they have the new key, and their telemetry is lost. The stack and its console switch
          by themselves.
        </Notice>
      )}
      {confirmation.field}
    </FormDialog>
  )
}
