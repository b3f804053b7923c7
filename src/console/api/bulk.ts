/** The same done to many things, one after the other: each has its own outcome, and what failed can be tried again. */
import { type ApiFailure, asFailure } from './failure.ts'

export type Outcome =
  | { state: 'waiting' }
  | { state: 'running' }
  | { state: 'done' }
  | { state: 'failed'; failure: ApiFailure }
  /** Not tried, because one before it failed in a way that all would. */
  | { state: 'left' }

/** Failures after which going on makes no sense: the key, the lock, the budget. */
const stopping = ['keyRejected', 'forbidden', 'readOnly', 'signedOut', 'notOffered', 'rateLimited', 'unreachable']

/** Runs a task for each thing in turn and tells each outcome. Stops where all others would fail too, or when told to. */
export async function runBulk<T extends { id: string }>(
  things: readonly T[],
  task: (thing: T) => Promise<void>,
  tell: (id: string, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  let stopped = false
  for (const thing of things) {
    const { id } = thing
    if (stopped || signal.aborted) {
      tell(id, { state: 'left' })
      continue
    }
    tell(id, { state: 'running' })
    try {
      await task(thing)
      tell(id, { state: 'done' })
    } catch (error) {
      const failure = asFailure(error)
      tell(id, { state: 'failed', failure })
      stopped = stopping.includes(failure.code)
    }
  }
}
