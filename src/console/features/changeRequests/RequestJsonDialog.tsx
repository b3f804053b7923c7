import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { Button } from '#console/ui/base/Button.tsx'
import { JsonView } from '#console/ui/JsonView.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import type { ChangeRequestDetail } from '#contract/console/changeRequests.ts'

interface RequestJsonDialogProps {
  request: ChangeRequestDetail
  onClose: () => void
}

/** The request as the console's API returns it, with masked secrets. */
export function RequestJsonDialog({ request, onClose }: RequestJsonDialogProps) {
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="request-json-title">
      <DialogTitle id="request-json-title">Change request {request.number} as JSON</DialogTitle>
      <DialogContent>
        <JsonView text={JSON.stringify(request, null, 2)} label="Change request" />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
