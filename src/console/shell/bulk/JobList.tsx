import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useFrameConnection, WithConnection } from '../connection.tsx'
import { lockReason } from '../lockReason.ts'
import { ConnectionLine } from '../stage/StageChip.tsx'
import { RetryButton, StopButton } from './JobButtons.tsx'
import { JobProgress } from './JobProgress.tsx'
import { dismissJob } from './jobs.ts'
import { isOver, unfinished, type Job } from './jobStore.ts'
import { OutcomeList } from './OutcomeList.tsx'

/** Every job with its actions. */
export function JobList({ jobs }: { jobs: readonly Job[] }) {
  return (
    <Box
      component="ul"
      aria-label="Jobs"
      sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
    >
      {jobs.map((job) => (
        <Box component="li" key={job.id} sx={{ p: 3.5, display: 'flex', flexDirection: 'column', gap: 2 }}>
          <WithConnection connection={job.connection}>
            <JobCard job={job} />
          </WithConnection>
        </Box>
      ))}
    </Box>
  )
}

function JobCard({ job }: { job: Job }) {
  const open = unfinished(job)
  const locked = useLock(job)
  return (
    <>
      <Typography variant="h3" component="h2">
        {job.title}
      </Typography>
      <ConnectionLine connection={job.connection} />
      <JobProgress job={job} />
      {isOver(job) && open.length > 0 && <OutcomeList rows={open} outcomes={job.outcomes} />}
      <Box sx={{ display: 'flex', gap: 2, justifyContent: 'flex-end' }}>
        {isOver(job) ? (
          <>
            <Button onClick={() => dismissJob(job.id)}>Dismiss</Button>
            <RetryButton job={job} locked={locked} />
          </>
        ) : (
          <StopButton job={job} />
        )}
      </Box>
    </>
  )
}

/** The connection may have become read-only since the job began. */
function useLock(job: Job): string | undefined {
  const { connections } = useFrameConnection()
  const now = connections.find(({ id }) => id === job.connection.id)
  return now ? lockReason(now) : 'The connection was deleted.'
}
