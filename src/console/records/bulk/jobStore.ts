/** The jobs that there are. Apart from what runs them, so that the frame loads little for something that is rare. */
import { Store, useStore } from '@tanstack/react-store'
import type { Outcome } from '#console/api/bulk.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { OutcomeRow } from './OutcomeList.tsx'

export interface Job {
  id: number
  connection: Connection
  /** "Delete 3 dashboards". */
  title: string
  rows: readonly OutcomeRow[]
  outcomes: ReadonlyMap<string, Outcome>
  /** `stopping`: waits for the request in progress. */
  state: 'running' | 'stopping' | 'ended'
}

/** All jobs, oldest first. */
export const jobs = new Store<readonly Job[]>([])

export const useJobs = () => useStore(jobs)
export const useJob = (id: number | null) => useStore(jobs, (all) => all.find((job) => job.id === id))

/** Whether the job centre is open. */
const jobCenterOpen = new Store(false)
export const useJobCenterOpen = () => useStore(jobCenterOpen)
export const isJobCenterOpen = () => jobCenterOpen.state
export const openJobCenter = (open: boolean) => jobCenterOpen.setState(() => open)

/** Rows that the job has not done. */
export function unfinished({ rows, outcomes }: Job): readonly OutcomeRow[] {
  return rows.filter(({ id }) => outcomes.get(id)?.state !== 'done')
}

export const isOver = (job: Job): boolean => job.state === 'ended'

/** "50 of 100 done", and the number of failures for an ended job. */
export function formatProgress(job: Job): string {
  const open = unfinished(job).length
  const done = `${job.rows.length - open} of ${job.rows.length} done`
  return isOver(job) && open > 0 ? `${done}, ${open} not done` : done
}
