import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import type { WebhookUse } from '#console/references/usage.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import type { Webhook } from '#contract/webhooks.ts'
import { AlertLinks } from './AlertLinks.tsx'
import { formatWebhookUses } from './webhookLabels.ts'

interface InUseDialogProps {
  webhook: Webhook
  uses: readonly WebhookUse[]
  onClose: () => void
}

/** A webhook that alerts depend on is not deleted: which ones, and the way to them. */
export function InUseDialog({ webhook, uses, onClose }: InUseDialogProps) {
  const connection = useConnection()
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="in-use-title">
      <DialogTitle id="in-use-title">{webhook.name} is in use</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        <div>
          {uses.length > 0
            ? `Used by ${formatWebhookUses(uses)}. The API deletes no webhook that is the first channel of an alert: runCommand these another channel, or delete them first.`
            : 'The API refuses to delete it: alerts still depend on it.'}
        </div>
        <AlertLinks uses={uses} />
      </DialogContent>
      <DialogActions>
        <LinkButton to={paths.alerts(connection.id)}>All alerts</LinkButton>
        <Button variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
