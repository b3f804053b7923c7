/** The same done to many records, one after the other: each has its own outcome, and what failed can be tried again. */
import { type ApiFailure, asFailure } from './failure.ts'

export type Outcome =
  | { state: 'waiting' }
  | { state: 'running' }
  /** The key's budget is used up; it is tried again at this moment (epoch milliseconds). */
  | { state: 'paused'; until: number }
  | { state: 'done' }
  | { state: 'failed'; failure: ApiFailure }
  /** Not tried: it was stopped, or one before it failed in a way that all would. */
  | { state: 'skipped' }

/** Failures after which going on makes no sense: the key, the lock, the way there. */
const stopping = ['keyRejected', 'forbidden', 'readOnly', 'signedOut', 'notOffered', 'unreachable']

/** Seconds until another try where a refusal does not say. */
const defaultRetrySeconds = 10

/**
 * Runs a task for each record in turn and tells each outcome. A used-up budget is waited for: such a request was refused
 * before anything happened. Stops where all others would fail too, or when told to.
 */
export async function runBulk<T extends { id: string }>(
  records: readonly T[],
  task: (record: T) => Promise<void>,
  report: (id: string, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  let stopped = false
  for (const record of records) {
    const { id } = record
    const outcome: Outcome = stopped || signal.aborted ? skipped : await runOne(record, task, report, signal)
    report(id, outcome)
    stopped ||= outcome.state === 'failed' && stopping.includes(outcome.failure.code)
  }
}

const skipped: Outcome = { state: 'skipped' }

async function runOne<T extends { id: string }>(
  record: T,
  task: (record: T) => Promise<void>,
  report: (id: string, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  for (;;) {
    report(record.id, { state: 'running' })
    try {
      await task(record)
      return { state: 'done' }
    } catch (error) {
      const failure = asFailure(error)
      if (failure.code !== 'rateLimited') return { state: 'failed', failure }
      const wait = (failure.retryAfter ?? defaultRetrySeconds) * 1000
      report(record.id, { state: 'paused', until: Date.now() + wait })
      await pause(wait, signal)
      if (signal.aborted) return skipped
    }
  }
}

/** Ends early when the signal is aborted. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((wake) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      wake()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
