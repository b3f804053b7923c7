import { useState } from 'react'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { storedNow } from '#console/api/guardedWrite.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { formatAcknowledgement } from './acknowledgements.ts'
import { useAcknowledgement } from './useAlertOperations.ts'

const schema = z.object({ note: z.string().trim().max(512) })

/** Says that somebody takes care of a firing alert, with a note for the others. */
export function AcknowledgeDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const { control, handleSubmit } = useSchemaForm(schema, { note: '' })
  const { blocked, acknowledge } = useAcknowledgement()
  // One that somebody else sends while the dialog is open is shown before it is replaced.
  const [base, setBase] = useState(alert)
  const [meanwhile, setMeanwhile] = useState<string | null>(null)
  const send = handleSubmit(({ note }) => {
    setMeanwhile(null)
    acknowledge.mutate(
      { alert: base, note },
      {
        onError: (error) => {
          const now = storedNow(error, alerts.get.result)
          if (!now) return
          setBase(now)
          const theirs = formatAcknowledgement(now)
          setMeanwhile(
            theirs ? `${theirs} Acknowledge again to replace it.` : 'Somebody else withdrew the acknowledgement.',
          )
        },
        onSuccess: () => {
          toast({ tone: 'ok', text: 'Alert acknowledged' })
          onClose()
        },
      },
    )
  })
  return (
    <FormDialog
      title="Acknowledge alert"
      size="xs"
      action="Acknowledge"
      busy={acknowledge.isPending}
      disabled={blocked !== undefined}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Text color="textSecondary">
        Shows others that somebody takes care of it. While it fires, the notification is not repeated. It ends when the
        alert is resolved, which is sent as usual.
      </Text>
      <TextField
        control={control}
        name="note"
        label="Note"
        lines={2}
        maxLength={512}
        help="Describe what you are doing about it."
      />
      {meanwhile && (
        <Notice tone="warning" role="alert">
          {meanwhile}
        </Notice>
      )}
      {acknowledge.error && !meanwhile && <SubmitError error={formatError(acknowledge.error, location.pathname)} />}
      {blocked && <Notice tone="info">{blocked}</Notice>}
    </FormDialog>
  )
}
