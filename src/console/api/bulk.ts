/** Runs the same task on many records, one after the other. Each has an outcome; failed ones can be retried. */
import { inOneChangeRequest, isHeld } from './approval.ts'
import { type ApiFailure, asFailure } from './failure.ts'

export type Outcome =
  | { state: 'waiting' }
  | { state: 'running' }
  /** The rate limit of the key is reached. It is retried at this time (epoch milliseconds). */
  | { state: 'paused'; until: number }
  | { state: 'done' }
  /** Nothing was changed yet: it waits for approval. */
  | { state: 'held' }
  | { state: 'failed'; failure: ApiFailure }
  /** Not tried: the job was stopped, or an earlier failure would affect all records. */
  | { state: 'skipped' }

/** Whether the response to the write of a row was lost. */
export const isUnknown = (outcome: Outcome): boolean =>
  outcome.state === 'failed' && outcome.failure.code === 'outcomeUnknown'

/** Failures that would affect every other record too. */
const stopping = ['keyRejected', 'forbidden', 'readOnly', 'signedOut', 'notOffered', 'unreachable', 'blocked']

/** Seconds until a retry when the response does not say. */
const defaultRetrySeconds = 10

/**
 * Runs a task for each record in turn and reports each outcome. Waits while the rate limit is reached: such a request was rejected
 * before anything happened. Stops where all others would fail too, or when aborted.
 */
export async function runBulk<T extends { id: string }>(
  records: readonly T[],
  task: (record: T) => Promise<void>,
  report: (id: string, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  let stopped = false
  await inOneChangeRequest(async () => {
    for (const record of records) {
      const { id } = record
      const outcome: Outcome = stopped || signal.aborted ? skipped : await runOne(record, task, report, signal)
      report(id, outcome)
      stopped ||= outcome.state === 'failed' && stopping.includes(outcome.failure.code)
    }
  })
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
      if (isHeld(failure)) return { state: 'held' }
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
