import TextField from '@mui/material/TextField'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { declineRequest } from '#console/api/gateway/changeRequests.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import type { ChangeRequestDetail } from '#contract/changeRequests.ts'

interface DeclineDialogProps {
  request: ChangeRequestDetail
  onClose: () => void
}

/** Ends a request without carrying it out, and says why. */
export function DeclineDialog({ request, onClose }: DeclineDialogProps) {
  const [reason, setReason] = useState('')
  const decline = useMutation({
    mutationFn: () => declineRequest(request.id, reason.trim()),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={`Decline change request ${request.number}`}
      action="Decline"
      danger
      busy={decline.isPending}
      disabled={reason.trim() === ''}
      onSubmit={() => decline.mutate()}
      onClose={onClose}
    >
      {decline.error && <SubmitError error={formatError(decline.error)} />}
      <TextField
        label="Reason"
        value={reason}
        required
        multiline
        minRows={3}
        onChange={(event) => setReason(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 2000 } }}
      />
    </FormDialog>
  )
}
