import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import { Moment } from '#console/ui/Moment.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { PendingChange, Progress } from './pendingChanges.ts'
import { inSentence } from '#console/ui/format.ts'

interface ConvergenceNoticeProps {
  asked: PendingChange
  progress: Progress
  /** The looks fail: what is shown is from before. */
  blind: boolean
  /** Sends the former values. Undefined where they are not known, or cannot be sent now. */
  onRevert: (() => void) | undefined
  reverting: boolean
  onClose: () => void
}

/** Whether a deployment has done what was asked of it; one click takes it back. */
export function ConvergenceNotice({ asked, progress, blind, onRevert, reverting, onClose }: ConvergenceNoticeProps) {
  const what = asked.changes.map(({ title, before, after }) => `${inSentence(title)} ${before} → ${after}`).join(', ')
  const action = (
    <>
      {onRevert && (
        <Button onClick={onRevert} loading={reverting}>
          Back to former values
        </Button>
      )}
      {progress.state !== 'waiting' && <Button onClick={onClose}>Close</Button>}
    </>
  )
  if (progress.state === 'reached') {
    return (
      <Notice tone="success" role="status" action={action}>
        The deployment reports what was asked for: {what}.
      </Notice>
    )
  }
  if (progress.state === 'late') {
    return (
      <Notice tone="warning" role="alert" action={action}>
        The deployment has not taken over what was asked for <Moment iso={new Date(asked.at).toISOString()} />: {what}.
        {blind
          ? ' It does not answer at the moment: the page keeps asking.'
          : ' Other values are still in effect. The page keeps looking.'}
      </Notice>
    )
  }
  return (
    <Box>
      <Notice tone="info" role="status" action={action}>
        {asked.uncertain
          ? `The answer was lost. The deployment is watched for what was asked: ${what}.`
          : `PendingChange for: ${what}. It is not in effect yet; that takes minutes.`}
        {blind && ' It does not answer at the moment.'}
      </Notice>
      <LinearProgress aria-label="Waiting for the deployment" sx={{ mt: 1, borderRadius: 9 }} />
    </Box>
  )
}
