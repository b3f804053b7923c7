import { Popover } from '#console/ui/mui/Popover.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { useFrameConnection, WithConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { isOver, type Job, unfinished } from './jobStore.ts'
import { RetryButton, StopButton, JobProgress } from './JobProgress.tsx'
import { dismissJob } from './jobs.ts'
import { OutcomeList } from './OutcomeList.tsx'
import * as css from '../records.module.css'

interface JobPopoverProps {
  anchor: () => HTMLElement | null
  jobs: readonly Job[]
  onClose: () => void
}

/** The background jobs, under their button. */
export function JobPopover({ anchor, jobs, onClose }: JobPopoverProps) {
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': 'Background jobs', sx: { mt: 1, width: 420 } } }}
    >
      <JobList jobs={jobs} />
    </Popover>
  )
}

/** Every job with its actions. */
function JobList({ jobs }: { jobs: readonly Job[] }) {
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
      <div className={css.jobActions}>
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
