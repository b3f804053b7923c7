/**
 * Work on many records. It does not depend on a page: it continues in the background, and the frame shows its
 * progress.
 */
import { isUnknown, type Outcome, runBulk } from '#console/api/bulk.ts'
import type { Connection } from '#contract/console/connections.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { isJobCenterOpen, isOver, jobs, openJobCenter, formatProgress, unfinished, type Job } from './jobStore.ts'
import type { OutcomeRow } from './OutcomeList.tsx'

interface JobWork<Row extends OutcomeRow> {
  connection: Connection
  title: string
  rows: readonly Row[]
  task: (row: Row) => Promise<void>
  /** Told after each run, however it ended, the ids that it has done, and whether a dialog still shows the job. */
  onEnd: (done: string[], watched: boolean) => void
}

const runs = new Map<number, { start: (rows: readonly OutcomeRow[]) => Promise<void>; abort: AbortController }>()
/** Jobs that a dialog shows: these report there. */
const watched = new Set<number>()
let last = 0

/** Starts immediately. @returns the ID of the job */
export function startJob<Row extends OutcomeRow>(work: JobWork<Row>): number {
  const id = ++last
  const { connection, title, rows } = work
  jobs.setState((all) => [...all, { id, connection, title, rows, outcomes: new Map(), state: 'running' }])
  const start = async (chosen: readonly OutcomeRow[]) => {
    const run = runs.get(id)
    if (!run) return
    run.abort = new AbortController()
    const ids = new Set(chosen.map((row) => row.id))
    const own = rows.filter((row) => ids.has(row.id))
    change(id, { state: 'running' })
    await runBulk(own, work.task, (rowId, outcome) => note(id, rowId, outcome), run.abort.signal)
    change(id, { state: 'ended' })
    finish(id, own, work)
  }
  runs.set(id, { start, abort: new AbortController() })
  warnBeforeLeaving()
  void start(rows)
  return id
}

/** Requests in progress are awaited: a sent write cannot be cancelled. */
export function stopJob(id: number): void {
  change(id, { state: 'stopping' })
  runs.get(id)?.abort.abort()
}

/**
 * Rows that may be tried again. A write whose response was lost may have been carried out, and one that waits for approval is carried
 * out then: neither is sent a second time.
 */
export function retryable(job: Job): readonly OutcomeRow[] {
  return unfinished(job).filter(({ id }) => {
    const outcome = job.outcomes.get(id)
    return outcome?.state !== 'held' && !(outcome && isUnknown(outcome))
  })
}

/** Tries again what failed or was left, as far as it is `retryable`. */
export function retryJob(id: number): void {
  const job = jobs.state.find((candidate) => candidate.id === id)
  if (job) void runs.get(id)?.start(retryable(job))
}

/** Takes an ended job off the list. */
export function dismissJob(id: number): void {
  if (jobs.state.find((job) => job.id === id)?.state !== 'ended') return
  jobs.setState((all) => all.filter((job) => job.id !== id))
  runs.delete(id)
  if (jobs.state.length === 0) openJobCenter(false)
}

/** Marks the job as shown by a dialog, which then reports its end. @returns removes the mark */
export function watchJob(id: number): () => void {
  watched.add(id)
  return () => {
    watched.delete(id)
    const job = jobs.state.find((candidate) => candidate.id === id)
    // A person who closes the dialog has seen the outcome.
    if (job?.state === 'ended') dismissJob(id)
  }
}

function finish<Row extends OutcomeRow>(id: number, chosen: readonly Row[], work: JobWork<Row>): void {
  const job = jobs.state.find((candidate) => candidate.id === id)
  if (!job) return
  const seen = watched.has(id)
  const done = chosen.filter((row) => job.outcomes.get(row.id)?.state === 'done').map((row) => row.id)
  work.onEnd(done, seen)
  if (seen) return
  if (unfinished(job).length === 0) return dismissJob(id)
  // A person who has the list open sees it there.
  if (isJobCenterOpen()) return
  const action = { label: 'Show', run: () => openJobCenter(true) }
  toast({ tone: 'bad', text: `${job.title} on ${job.connection.name}: ${formatProgress(job)}.`, action })
}

function note(id: number, rowId: string, outcome: Outcome): void {
  jobs.setState((all) =>
    all.map((job) => (job.id === id ? { ...job, outcomes: new Map(job.outcomes).set(rowId, outcome) } : job)),
  )
}

function change(id: number, part: Partial<Job>): void {
  jobs.setState((all) => all.map((job) => (job.id === id ? { ...job, ...part } : job)))
}

let warns = false

/** The work ends with the page, so closing it asks for confirmation. */
function warnBeforeLeaving(): void {
  if (warns) return
  warns = true
  window.addEventListener('beforeunload', (event) => {
    if (jobs.state.some((job) => !isOver(job))) event.preventDefault()
  })
}
