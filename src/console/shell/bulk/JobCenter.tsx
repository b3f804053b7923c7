import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Popover from '@mui/material/Popover'
import { LoaderCircle, ListChecks } from 'lucide-react'
import { useRef } from 'react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { isOver, openJobCenter, formatProgress, unfinished, useJobCenterOpen, type Job } from './jobStore.ts'

const JobList = lazyComponent(async () => (await import('./JobList.tsx')).JobList)

/** The progress of bulk jobs, with stop and details of failures. */
export function JobCenter({ jobs }: { jobs: readonly Job[] }) {
  const open = useJobCenterOpen()
  const anchor = useRef<HTMLButtonElement | null>(null)
  const running = jobs.some((job) => !isOver(job))
  return (
    <>
      <Button
        ref={anchor}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={JobList.preload}
        onFocus={JobList.preload}
        onClick={() => openJobCenter(true)}
        sx={{ gap: 2, minWidth: 30, px: { xs: 2, md: 2.5 }, flexShrink: 0, fontVariantNumeric: 'tabular-nums' }}
      >
        <Box
          component={running ? LoaderCircle : ListChecks}
          aria-hidden
          sx={{
            width: 14,
            height: 14,
            '@media (prefers-reduced-motion: no-preference)': running
              ? { animation: 'spin 1.2s linear infinite', '@keyframes spin': { to: { rotate: '360deg' } } }
              : {},
          }}
        />
        <VisuallyHidden>
          Background jobs: {jobs.map((job) => `${job.title}, ${formatProgress(job)}`).join('; ')}
        </VisuallyHidden>
        <Box component="span" aria-hidden>
          {formatJobs(jobs)}
        </Box>
      </Button>
      <Popover
        open={open}
        anchorEl={() => anchor.current}
        onClose={() => openJobCenter(false)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Background jobs', sx: { mt: 1, width: 420 } } }}
      >
        <JobList jobs={jobs} />
      </Popover>
    </>
  )
}

/** "50/100" of what runs, or how many are left to do. */
function formatJobs(jobs: readonly Job[]): string {
  const running = jobs.filter((job) => !isOver(job))
  const counted = running.length > 0 ? running : jobs
  const open = counted.reduce((sum, job) => sum + unfinished(job).length, 0)
  if (running.length === 0) return open > 0 ? `${open} left` : 'Done'
  const all = counted.reduce((sum, job) => sum + job.rows.length, 0)
  return `${all - open}/${all}`
}
