import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import { Moment } from '#console/ui/Moment.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { PendingChange, Progress } from './pendingChanges.ts'
import { inSentence } from '#console/ui/format.ts'

interface PendingChangeNoticeProps {
  change: PendingChange
  progress: Progress
  /** The looks fail: what is shown is from before. */
  unreachable: boolean
  /** Sends the former values. Undefined where they are not known, or cannot be sent now. */
  onRevert: (() => void) | undefined
  reverting: boolean
  onClose: () => void
}

/** Whether a deployment has done what was change of it; one click takes it back. */
export function PendingChangeNotice({
  change,
  progress,
  unreachable,
  onRevert,
  reverting,
  onClose,
}: PendingChangeNoticeProps) {
  const what = change.changes.map(({ title, before, after }) => `${inSentence(title)} ${before} → ${after}`).join(', ')
  const action = (
    <>
      {onRevert && (
        <Button onClick={onRevert} loading={reverting}>
          Back to previous values
        </Button>
      )}
      {progress.state !== 'waiting' && <Button onClick={onClose}>Close</Button>}
    </>
  )
  if (progress.state === 'reached') {
    return (
      <Notice tone="success" role="status" action={action}>
        The deployment reports what was change for: {what}.
      </Notice>
    )
  }
  if (progress.state === 'late') {
    return (
      <Notice tone="warning" role="alert" action={action}>
        The deployment has not taken over what was change for <Moment iso={new Date(change.at).toISOString()} />: {what}
        .
        {unreachable
          ? ' It does not answer at the moment: the page keeps asking.'
          : ' Other values are still in effect. The page keeps looking.'}
      </Notice>
    )
  }
  return (
    <Box>
      <Notice tone="info" role="status" action={action}>
        {change.outcomeUnknown
          ? `The answer was lost. The deployment is watched for what was change: ${what}.`
          : `PendingChange for: ${what}. It is not in effect yet; that takes minutes.`}
        {unreachable && ' It does not answer at the moment.'}
      </Notice>
      <LinearProgress aria-label="Waiting for the deployment" sx={{ mt: 1, borderRadius: 9 }} />
    </Box>
  )
}
