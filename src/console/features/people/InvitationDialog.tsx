import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import type { Invited } from '#contract/console/people.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { NewSecret } from './NewSecret.tsx'

/** The link with which somebody chooses a password. */
export function InvitationDialog({ invited, onClose }: { invited: Invited; onClose: () => void }) {
  const { person, link, expiresAt } = invited
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="invitation-title">
      <DialogTitle id="invitation-title">Link for {person.name}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
        <NewSecret text={link} copy="Copy link">
          This link is shown only now. Send it to the person in a way that nobody else can read.
        </NewSecret>
        <Text color="textSecondary">
          With it, {person.name} chooses a password for {person.email}. It works once, until {formatMoment(expiresAt)}.
        </Text>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
