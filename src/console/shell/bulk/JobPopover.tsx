import { Popover } from '#console/ui/mui/Popover.tsx'
import type { Job } from './jobStore.ts'
import { JobList } from './JobList.tsx'

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
