import TextField from '@mui/material/TextField'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { startBreakGlass } from '#console/api/gateway/approvals.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { breakGlassMinutes } from '#contract/changeRequestPaths.ts'
import type { Connection } from '#contract/connections.ts'
import { ConnectionLine } from '../stage/StageChip.tsx'
import { useTypedConfirmation } from '../stage/useTypedConfirmation.tsx'
import { askBreakGlass } from './approvalQuestion.ts'

/** Starts the time in which one person changes a connection without approval. */
export function BreakGlassDialog({ connection }: { connection: Connection }) {
  const [reason, setReason] = useState('')
  const name = useTypedConfirmation(connection.name)
  const close = () => askBreakGlass(null)
  const start = useMutation({
    mutationFn: () => startBreakGlass(connection.id, { reason: reason.trim(), confirmedName: connection.name }),
    onSuccess: close,
  })
  return (
    <FormDialog
      title="Break the glass"
      action="Break the glass"
      danger
      busy={start.isPending}
      disabled={name.reason !== undefined || reason.trim().length < 10}
      onSubmit={() => start.mutate()}
      onClose={close}
    >
      <ConnectionLine connection={connection} />
      {start.error && <SubmitError error={formatError(start.error)} />}
      <Notice tone="warning">
        For {breakGlassMinutes} minutes, what you change is sent without approval. Everybody on this connection sees it,
        the audit log marks every change, and the notification is sent.
      </Notice>
      <TextField
        label="Reason"
        value={reason}
        required
        multiline
        minRows={2}
        onChange={(event) => setReason(event.target.value)}
        helperText="Why it cannot wait: at least 10 characters."
        slotProps={{ htmlInput: { maxLength: 1000 } }}
      />
      {name.field}
    </FormDialog>
  )
}
