import { Progress } from '#console/ui/base/Progress.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { inSentence } from '#domain/text/words.ts'
import type { PendingChange, Progress as ChangeProgress } from './pendingChanges.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from '../records.module.css'

interface PendingChangeNoticeProps {
  change: PendingChange
  progress: ChangeProgress
  /** The deployment cannot be read: the progress shown may be out of date. */
  unreachable: boolean
  /** Sends the previous values. Undefined if they are unknown or cannot be sent now. */
  onRevert: (() => void) | undefined
  reverting: boolean
  onClose: () => void
}

/** Shows whether a pending change has taken effect, and reverts it. */
export function PendingChangeNotice({
  change,
  progress,
  unreachable,
  onRevert,
  reverting,
  onClose,
}: PendingChangeNoticeProps) {
  const summary = change.changes
    .map(({ title, before, after }) => `${inSentence(title)} ${before} → ${after}`)
    .join(', ')
  const action = (
    <>
      {onRevert && (
        <Button onClick={onRevert} loading={reverting}>
          Revert
        </Button>
      )}
      {progress.state !== 'waiting' && <Button onClick={onClose}>Close</Button>}
    </>
  )
  if (progress.state === 'reached') {
    return (
      <Notice tone="success" role="status" action={action}>
        Change applied: {summary}.
      </Notice>
    )
  }
  if (progress.state === 'late') {
    return (
      <Notice tone="warning" role="alert" action={action}>
        The change requested <Timestamp iso={new Date(change.at).toISOString()} /> is not in effect yet: {summary}.
        {unreachable
          ? ' The deployment is not responding. This page keeps checking.'
          : ' The deployment still reports other values. This page keeps checking.'}
      </Notice>
    )
  }
  return (
    <div>
      <Notice tone="info" role="status" action={action}>
        {change.outcomeUnknown
          ? `The response was lost, so the change may not have been accepted: ${summary}. Checking the deployment.`
          : `Change accepted: ${summary}. It is not in effect yet; this can take a few minutes.`}
        {unreachable && ' The deployment is not responding.'}
      </Notice>
      <Progress aria-label="Waiting for the deployment" className={css.pendingChangeProgress} />
    </div>
  )
}
