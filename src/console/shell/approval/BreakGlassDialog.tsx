import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { startBreakGlass } from '#console/api/gateway/approvals.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
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
    <Dialog open onClose={close} fullWidth maxWidth="sm" aria-labelledby="break-glass-title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.reason === undefined) start.mutate()
        }}
      >
        <DialogTitle id="break-glass-title">Break the glass</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
          <ConnectionLine connection={connection} />
          {start.error && <SubmitError error={formatError(start.error)} />}
          <Notice tone="warning">
            For {breakGlassMinutes} minutes, what you change is sent without approval. Everybody on this connection sees
            it, the audit log marks every change, and the notification is sent.
          </Notice>
          <TextField
            label="Reason"
            value={reason}
            required
            multiline
            minRows={2}
            onChange={(event) => setReason(event.target.value)}
            helperText="Why it cannot wait: at least 10 characters."
            slotProps={{ htmlInput: { autoFocus: true, maxLength: 1000 } }}
          />
          {name.field}
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            variant="contained"
            color="error"
            loading={start.isPending}
            disabled={name.reason !== undefined || reason.trim().length < 10}
          >
            Break the glass
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
