import { useFrameConnection, WithConnection } from '../connection.tsx'
import { lockReason } from '../lockReason.ts'
import { ConnectionLine } from '../stage/StageChip.tsx'
import { RetryButton, StopButton } from './JobButtons.tsx'
import { JobProgress } from './JobProgress.tsx'
import { dismissJob } from './jobs.ts'
import { isOver, unfinished, type Job } from './jobStore.ts'
import { OutcomeList } from './OutcomeList.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import css from './JobList.module.css'

/** Every job with its actions. */
export function JobList({ jobs }: { jobs: readonly Job[] }) {
  return (
    <ul aria-label="Jobs" className={css.jobList}>
      {jobs.map((job) => (
        <li key={job.id} className={css.job}>
          <WithConnection connection={job.connection}>
            <JobCard job={job} />
          </WithConnection>
        </li>
      ))}
    </ul>
  )
}

function JobCard({ job }: { job: Job }) {
  const open = unfinished(job)
  const locked = useLock(job)
  return (
    <>
      <Text variant="h3" component="h2">
        {job.title}
      </Text>
      <ConnectionLine connection={job.connection} />
      <JobProgress job={job} />
      {isOver(job) && open.length > 0 && <OutcomeList rows={open} outcomes={job.outcomes} />}
      <div className={css.actions}>
        {isOver(job) ? (
          <>
            <Button onClick={() => dismissJob(job.id)}>Dismiss</Button>
            <RetryButton job={job} locked={locked} />
          </>
        ) : (
          <StopButton job={job} />
        )}
      </div>
    </>
  )
}

/** The connection may have become read-only since the job began. */
function useLock(job: Job): string | undefined {
  const { connections } = useFrameConnection()
  const now = connections.find(({ id }) => id === job.connection.id)
  return now ? lockReason(now) : 'The connection was deleted.'
}
