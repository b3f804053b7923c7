import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { startBreakGlass } from '#console/api/gateway/approvals.ts'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { breakGlassMinutes } from '#contract/console/changeRequestPaths.ts'
import type { Connection } from '#contract/console/connections.ts'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { useTypedConfirmation } from '#console/shell/stage/useTypedConfirmation.tsx'
import { askBreakGlass } from './approvalQuestion.ts'

const schema = z.object({ reason: z.string().trim().min(10).max(1000) })

/** Starts the time in which one person changes a connection without approval. */
export function BreakGlassDialog({ connection }: { connection: Connection }) {
  const {
    control,
    formState: { isValid },
    handleSubmit,
  } = useSchemaForm(schema, { reason: '' })
  const name = useTypedConfirmation(connection.name)
  const close = () => askBreakGlass(null)
  const start = useMutation({
    mutationFn: (reason: string) => startBreakGlass(connection.id, { reason, confirmedName: connection.name }),
    onSuccess: close,
  })
  return (
    <FormDialog
      title="Break the glass"
      action="Break the glass"
      danger
      busy={start.isPending}
      disabled={name.reason !== undefined || !isValid}
      onSubmit={() => void handleSubmit(({ reason }) => start.mutate(reason))()}
      onClose={close}
    >
      <ConnectionLine connection={connection} />
      {start.error && <SubmitError error={formatError(start.error)} />}
      <Notice tone="warning">
        For {breakGlassMinutes} minutes, what you change is sent without approval. Everybody on this connection sees it,
        the audit log marks every change, and the notification is sent.
      </Notice>
      <TextField
        control={control}
        name="reason"
        label="Reason"
        required
        lines={2}
        help="Why it cannot wait: at least 10 characters."
      />
      {name.field}
    </FormDialog>
  )
}
