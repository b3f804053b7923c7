import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { declineRequest } from '#console/api/gateway/changeRequests.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
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
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="decline-title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim() !== '') decline.mutate()
        }}
      >
        <DialogTitle id="decline-title">Decline change request {request.number}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
          {decline.error && <SubmitError error={formatError(decline.error)} />}
          <TextField
            label="Reason"
            value={reason}
            required
            multiline
            minRows={3}
            onChange={(event) => setReason(event.target.value)}
            slotProps={{ htmlInput: { autoFocus: true, maxLength: 2000 } }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="contained"
            color="error"
            loading={decline.isPending}
            disabled={reason.trim() === ''}
          >
            Decline
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
