import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import css from './InvitationLinkDialog.module.css'

export interface InvitationLink {
  email: string
  url: string
  expireAt: string | null | undefined
}

/** The link with which an invited person joins. Only the stack of this product has one: the cloud sends an email. */
export function InvitationLinkDialog({ link, onClose }: { link: InvitationLink; onClose: () => void }) {
  const { email, url, expireAt } = link
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="invitation-link-title">
      <DialogTitle id="invitation-link-title">Invitation of {email}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2, '&&': { pt: 2 } }}>
        <Notice tone="warning" role="status">
          Copy the link now: it is shown only once. This stack sends no email.
        </Notice>
        <div className={css.link}>
          <code>{url}</code>
          <CopyButton text={url} label="Copy link" />
        </div>
        <Text color="textSecondary">
          With it, the person becomes a member with the roles that you chose. It works once
          {expireAt && (
            <>
              , and expires <Timestamp iso={expireAt} />
            </>
          )}
          . Members are records of the organization: they do not sign in to this stack.
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
