import { Progress } from '#console/ui/base/Progress.tsx'
import { useRateLimit } from '#console/api/rateLimit.ts'
import { useSecondsUntil } from '#console/ui/useSecondsUntil.ts'
import { isOver, formatProgress, unfinished, type Job } from './jobStore.ts'
import * as css from '../records.module.css'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { retryable, retryJob, stopJob } from './jobs.ts'
import { Button } from '#console/ui/base/Button.tsx'

/** The progress of a job, and what it waits for. */
export function JobProgress({ job }: { job: Job }) {
  const done = job.rows.length - unfinished(job).length
  return (
    <div className={css.jobProgress}>
      <span role="status">{formatProgress(job)}</span>
      {!isOver(job) && (
        <>
          <Progress share={done / job.rows.length} aria-label={job.title} className={css.jobProgressBar} />
          <JobWait job={job} />
        </>
      )}
    </div>
  )
}

function JobWait({ job }: { job: Job }) {
  const rateLimit = useRateLimit(job.connection.id)
  const paused = [...job.outcomes.values()].find((outcome) => outcome.state === 'paused')
  const until = paused?.until ?? (rateLimit && rateLimit.waiting > 0 ? rateLimit.nextAt : 0)
  const left = useSecondsUntil(until)
  if (job.state === 'stopping') return <WaitNote>Stopping. Waiting for the request in progress.</WaitNote>
  if (until === 0) return null
  return (
    <WaitNote>
      Waiting for the rate limit of this key
      {rateLimit && ` (${rateLimit.remaining} of ${rateLimit.limit} requests left)`}. Continues{' '}
      <span role="timer" aria-live="off">
        {left > 0 ? `in ${left} s` : 'now'}
      </span>
      .
    </WaitNote>
  )
}

function WaitNote({ children }: { children: React.ReactNode }) {
  return <div className={css.waitNote}>{children}</div>
}

export function StopButton({ job }: { job: Job }) {
  return (
    <Button onClick={() => stopJob(job.id)} disabled={job.state === 'stopping'}>
      Stop
    </Button>
  )
}

interface RetryButtonProps {
  job: Job
  danger?: boolean | undefined
  /** Why nothing can be written. */
  locked: string | undefined
}

/** Tries again what an ended job has not done; nothing where no row may be tried again. */
export function RetryButton({ job, danger = false, locked }: RetryButtonProps) {
  const open = retryable(job).length
  if (open === 0) return null
  return (
    <DisabledReason reason={locked}>
      <Button
        variant="contained"
        color={danger ? 'error' : 'primary'}
        disabled={locked !== undefined}
        onClick={() => retryJob(job.id)}
      >
        Retry {open}
      </Button>
    </DisabledReason>
  )
}
