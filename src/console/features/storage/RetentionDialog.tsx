import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { nameToConfirm } from '#console/shell/stage/stageLabels.ts'
import { useTypedConfirmation } from '#console/shell/stage/useTypedConfirmation.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { maxRetentionDays, storage, type SignalStorage, type StoredSignal } from '#contract/stack/storage.ts'
import { deletedBy } from '#domain/storage/forecast.ts'
import { counted } from '#domain/text/words.ts'
import { deletionSentence, signalTitles } from './storageText.ts'

const schema = z.object({
  isDefault: z.boolean(),
  days: z
    .int('must be a whole number of days')
    .min(1, 'at least 1 day')
    .max(maxRetentionDays, `at most ${maxRetentionDays} days`),
})

interface RetentionDialogProps {
  storage: SignalStorage & { signal: StoredSignal }
  defaultDays: number
  now: number
  onClose: () => void
}

/** Sets how long a kind of telemetry is kept, and says before that what is deleted. */
export function RetentionDialog({ storage: current, defaultDays, now, onClose }: RetentionDialogProps) {
  const { signal, retentionDays, isDefault } = current
  const connection = useConnection()
  const { control, handleSubmit } = useSchemaForm(schema, { isDefault, days: retentionDays })
  const form = useWatch({ control })
  const wanted = form.isDefault ? defaultDays : (form.days ?? retentionDays)
  const isShorter = Number.isInteger(wanted) && wanted >= 1 && wanted < retentionDays
  const deleted = isShorter ? deletedBy(current.days ?? [], wanted, now) : []
  const confirmation = useTypedConfirmation(isShorter ? nameToConfirm(connection) : undefined)
  const set = useApiMutation(connection.id, storage.setRetention, {
    titles: { retentionDays: 'Keep for' },
    onSuccess: () => {
      const until = isShorter ? ' Nothing is deleted for an hour, in which it can be changed back.' : ''
      toast({
        tone: 'ok',
        text: `${signalTitles[signal]} ${isShorter ? 'will be' : 'are'} kept for ${counted(wanted, 'day')}.${until}`,
      })
      onClose()
    },
  })
  const send = handleSubmit(({ isDefault, days }) =>
    set.mutate({ body: { signal, retentionDays: isDefault ? null : days } }),
  )
  return (
    <FormDialog
      title={`Retention of ${signal}`}
      action={isShorter ? 'Shorten retention' : 'Set retention'}
      danger={deleted.length > 0}
      busy={set.isPending}
      disabled={confirmation.reason !== undefined}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {set.isError && <SubmitError error={formatError(set.error)} />}
      <SwitchField
        control={control}
        name="isDefault"
        label={`Use the default (RETENTION_DAYS, ${counted(defaultDays, 'day')})`}
      />
      {!form.isDefault && (
        <NumberField
          control={control}
          name="days"
          label="Keep for"
          unit="days"
          required
          help="Data is deleted by whole UTC days."
        />
      )}
      {isShorter && (
        <Notice tone={deleted.length > 0 ? 'warning' : 'info'} role="status">
          {deleted.length > 0
            ? `${deletionSentence(deleted, current)} That begins in an hour: until then, the change can be taken back.`
            : 'Nothing that is stored now is older.'}
        </Notice>
      )}
      {confirmation.field}
    </FormDialog>
  )
}
