import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { retryable, retryJob, stopJob } from './jobs.ts'
import type { Job } from './jobStore.ts'
import { Button } from '#console/ui/base/Button.tsx'

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
