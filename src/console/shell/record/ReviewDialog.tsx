import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import type { ReactNode } from 'react'
import { ConnectionLine } from '../stage/StageChip.tsx'
import { useRateLimit } from '#console/api/rateLimit.ts'
import { ChangeTable, type Change } from '#console/ui/ChangeTable.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { useConnection } from '../connection.tsx'
import { counted } from '#console/ui/format.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import css from './ReviewDialog.module.css'

interface ReviewDialogProps {
  title: string
  /** Empty for a new record, which the children describe. */
  changes: readonly Change[]
  /** The requests in their order: "read", "write". */
  requests: readonly string[]
  /** The write as a command; null if there is none. */
  command: string | null
  /** What else to know before sending. */
  children?: ReactNode
  action: string
  /** Why it cannot be sent now. */
  disabled?: string | undefined
  onSend: () => void
  onClose: () => void
}

/** A write before it is sent: the changed fields, the number of requests, and the same request as cURL. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, changes, requests, command, children, action, disabled, onSend, onClose } = props
  const connection = useConnection()
  const budget = useRateLimit(connection.id)
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="review-title">
      <DialogTitle id="review-title">{title}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        <ConnectionLine connection={connection} />
        {changes.length > 0 && <ChangeTable changes={changes} label={title} />}
        {children}
        <Text color="textSecondary">
          {counted(requests.length, 'request')}: {requests.join(', ')}
          {budget && `; ${budget.remaining} of ${budget.limit} left in the rate limit of the key`}.
        </Text>
        {command !== null && (
          <ScrollRegion as="pre" label="Request as cURL" className={css.scroller}>
            {command}
          </ScrollRegion>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', rowGap: 2 }}>
        {command !== null && <CopyButton text={command} label="Copy as cURL" />}
        <div className={css.spacer} />
        <Button onClick={onClose}>Back to editing</Button>
        <DisabledReason reason={disabled}>
          <Button variant="contained" color="primary" disabled={disabled !== undefined} onClick={onSend}>
            {action}
          </Button>
        </DisabledReason>
      </DialogActions>
    </Dialog>
  )
}
