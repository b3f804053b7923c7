import { LoaderCircle, ListChecks } from 'lucide-react'
import { useRef } from 'react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { isOver, openJobCenter, formatProgress, unfinished, useJobCenterOpen, type Job } from './jobStore.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from '../records.module.css'

const JobPopover = lazyComponent(async () => (await import('./JobPopover.tsx')).JobPopover)

/** The progress of bulk jobs, with stop and details of failures. */
export function JobCenter({ jobs }: { jobs: readonly Job[] }) {
  const open = useJobCenterOpen()
  const anchor = useRef<HTMLButtonElement | null>(null)
  const running = jobs.some((job) => !isOver(job))
  const Icon = running ? LoaderCircle : ListChecks
  return (
    <>
      <Button
        ref={anchor}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={JobPopover.preload}
        onFocus={JobPopover.preload}
        onClick={() => openJobCenter(true)}
        className={css.jobCenter}
      >
        <Icon size={14} aria-hidden className={running ? css.running : undefined} />
        <VisuallyHidden>
          Background jobs: {jobs.map((job) => `${job.title}, ${formatProgress(job)}`).join('; ')}
        </VisuallyHidden>
        <span aria-hidden>{formatJobs(jobs)}</span>
      </Button>
      {open && <JobPopover anchor={() => anchor.current} jobs={jobs} onClose={() => openJobCenter(false)} />}
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
