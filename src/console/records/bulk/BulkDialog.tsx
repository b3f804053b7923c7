import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { nameToConfirm } from '#console/shell/stage/stageLabels.ts'
import { useTypedConfirmation } from '#console/shell/stage/useTypedConfirmation.tsx'
import { RetryButton, StopButton, JobProgress } from './JobProgress.tsx'
import { startJob, watchJob } from './jobs.ts'
import { isOver, unfinished, useJob, type Job } from './jobStore.ts'
import { OutcomeList, type OutcomeRow } from './OutcomeList.tsx'
import { Button } from '#console/ui/base/Button.tsx'

interface BulkDialogProps<Row extends OutcomeRow> {
  /** "Delete 3 dashboards?"; without the question mark it names the work. */
  title: string
  /** The records to work on, one after the other. */
  rows: readonly Row[]
  task: (row: Row) => Promise<void>
  /** The label of the button. */
  action: string
  danger?: boolean
  /** Records that are gone afterwards. More than one, on production, and the connection's name must be typed. */
  destroys?: number
  /** Whether the records cannot be restored: the same for a single one. */
  irreversible?: boolean
  /** Why it cannot begin. */
  disabled?: string | undefined
  /** Stays open when all is done. */
  stays?: boolean
  /**
   * Told after each run, however it ended, the ids that it has done: the place to say so. Not `watched` when the dialog was
   * closed meanwhile: the person is elsewhere.
   */
  onEnd: (done: string[], watched: boolean) => void
  onClose: () => void
  /** The effect; not shown any more once it has begun. */
  children: ReactNode
}

/**
 * Asks for confirmation, then shows the result of each record, with a retry of failures. The job continues when the
 * dialog is closed.
 */
export function BulkDialog<Row extends OutcomeRow>(props: BulkDialogProps<Row>) {
  const { title, rows, task, action, danger, destroys = 0, irreversible = false, onEnd, onClose, children } = props
  const connection = useConnection()
  const [jobId, setJobId] = useState<number | null>(null)
  const job = useJob(jobId)
  const name = useTypedConfirmation(destroys > 1 || irreversible ? nameToConfirm(connection) : undefined)
  const disabled = props.disabled ?? name.reason ?? lockReason(connection)
  useEffect(() => (jobId === null ? undefined : watchJob(jobId)), [jobId])
  const allDone = job !== undefined && isOver(job) && unfinished(job).length === 0
  const closeWhenDone = useEffectEvent(() => {
    if (!props.stays) onClose()
  })
  useEffect(() => {
    if (allDone) closeWhenDone()
  }, [allDone])

  const content = useRef<HTMLDivElement>(null)
  const start = () => {
    // The button goes away. Until the dialog noticed the lost focus, Escape would do nothing.
    content.current?.focus()
    setJobId(startJob({ connection, title: title.replace(/\?$/, ''), rows, task, onEnd }))
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="bulk-title">
      <DialogTitle id="bulk-title">{title}</DialogTitle>
      <DialogContent
        ref={content}
        tabIndex={-1}
        sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}
      >
        <ConnectionLine connection={connection} />
        {job ? (
          <>
            <JobProgress job={job} />
            <OutcomeList rows={job.rows} outcomes={job.outcomes} />
          </>
        ) : (
          <>
            {children}
            {name.field}
          </>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', rowGap: 2 }}>
        {job ? (
          <JobActions job={job} danger={danger} locked={lockReason(connection)} onClose={onClose} />
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <DisabledReason reason={disabled}>
              <Button
                variant="contained"
                color={danger ? 'error' : 'primary'}
                disabled={disabled !== undefined}
                onClick={start}
              >
                {action}
              </Button>
            </DisabledReason>
          </>
        )}
      </DialogActions>
    </Dialog>
  )
}

interface JobActionsProps {
  job: Job
  danger: boolean | undefined
  locked: string | undefined
  onClose: () => void
}

function JobActions({ job, danger, locked, onClose }: JobActionsProps) {
  if (isOver(job)) {
    return (
      <>
        <Button onClick={onClose}>Close</Button>
        <RetryButton job={job} danger={danger} locked={locked} />
      </>
    )
  }
  return (
    <>
      <StopButton job={job} />
      <Button variant="contained" color="primary" onClick={onClose}>
        Continue in the background
      </Button>
    </>
  )
}
