import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import type { ReactNode } from 'react'
import { counted } from '#domain/text/words.ts'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { useRateLimit } from '#console/api/rateLimit.ts'
import { ChangeTable, type Change } from '#console/ui/ChangeTable.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from '../records.module.css'

interface ReviewDialogProps {
  title: string
  /** Empty for a new record, which the children describe. */
  changes: readonly Change[]
  /** The requests in their order: "read", "write". */
  requests: readonly string[]
  /** The write as a command; null if there is none. */
  command: string | null
  /** Additional text before sending. */
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
  return (
    <ReviewFrame
      title={title}
      onClose={onClose}
      actions={<ReviewActions command={null} action={action} disabled={disabled} onSend={onSend} onClose={onClose} />}
    >
      {changes.length > 0 && <ChangeTable changes={changes} label={title} />}
      {children}
      <details className={css.reviewDetails}>
        <summary>Details: {counted(requests.length, 'request')}</summary>
        <RequestCount requests={requests} />
        {command !== null && (
          <>
            <div>
              <CopyButton text={command} label="Copy as cURL" />
            </div>
            <ScrollRegion as="pre" label="Request as cURL" className={css.reviewScroller}>
              {command}
            </ScrollRegion>
          </>
        )}
      </details>
    </ReviewFrame>
  )
}

interface ReviewFrameProps {
  title: string
  wide?: boolean
  busy?: boolean
  actions: ReactNode
  onClose: () => void
  children: ReactNode
}

/** The dialog of a review: the connection that is written to, the content, and the actions. */
export function ReviewFrame({ title, wide = false, busy = false, actions, onClose, children }: ReviewFrameProps) {
  const connection = useConnection()
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth={wide ? 'md' : 'sm'}
      fullWidth
      aria-labelledby="review-title"
      aria-busy={busy}
    >
      <DialogTitle id="review-title">{title}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: wide ? 4 : 3 }}>
        <ConnectionLine connection={connection} />
        {children}
      </DialogContent>
      <DialogActions disableSpacing sx={{ flexWrap: 'wrap', gap: 2, '& > *': { flexShrink: 0 } }}>
        {actions}
      </DialogActions>
    </Dialog>
  )
}

interface ReviewActionsProps extends Pick<ReviewDialogProps, 'command' | 'action' | 'disabled' | 'onSend' | 'onClose'> {
  /** The button that leaves without sending. */
  back?: string
  /** Other activity. */
  status?: string | false
  danger?: boolean
  /** The write is in progress: there is no way back. */
  writing?: boolean
  /** The write is in progress, or about to begin. */
  loading?: boolean
}

/** The actions of a review: copy the request, go back, send it. */
export function ReviewActions(props: ReviewActionsProps) {
  const { command, action, disabled, onSend, onClose, back = 'Back to editing' } = props
  const { status, danger = false, writing = false, loading = false } = props
  return (
    <>
      {command !== null && <CopyButton text={command} label="Copy as cURL" />}
      <Text variant="caption" color="textSecondary" aria-live="polite" className={css.reviewStatus}>
        {status}
      </Text>
      <Button onClick={onClose} disabled={writing}>
        {back}
      </Button>
      <DisabledReason reason={disabled}>
        <Button
          variant="contained"
          color={danger ? 'error' : 'primary'}
          loading={loading}
          disabled={disabled !== undefined}
          onClick={onSend}
        >
          {action}
        </Button>
      </DisabledReason>
    </>
  )
}

/** The requests of a write, and how many are left in the rate limit. */
export function RequestCount({ requests }: Pick<ReviewDialogProps, 'requests'>) {
  const { id } = useConnection()
  const budget = useRateLimit(id)
  return (
    <Text color="textSecondary">
      {counted(requests.length, 'request')}: {requests.join(', ')}
      {budget && `; ${budget.remaining} of ${budget.limit} left in the rate limit of the key`}.
    </Text>
  )
}
