/** A save that is based on a record as it was read, and its outcome, even if the response was lost. */
import { asFailure, type ApiFailure } from './failure.ts'
import { guardedWrite, storedNow, type GuardedWrite } from './guardedWrite.ts'

export type SaveOutcome<T, R> =
  | { outcome: 'saved'; result: R }
  /** Nothing was written: somebody else saved `theirs` meanwhile. */
  | { outcome: 'conflict'; theirs: T }
  /** The response was lost. The stored record shows whether the save was applied: `lostOutcome`. */
  | { outcome: 'unknown'; failure: ApiFailure }

/** Saves once. Throws if nothing was written for another reason than a conflict. */
export async function guardedSave<T extends object, R>(saving: GuardedWrite<T, R>): Promise<SaveOutcome<T, R>> {
  try {
    return { outcome: 'saved', result: await guardedWrite(saving) }
  } catch (error) {
    const theirs = storedNow(error, saving.record)
    if (theirs) return { outcome: 'conflict', theirs }
    const failure = asFailure(error)
    if (failure.code !== 'outcomeUnknown') throw error
    return { outcome: 'unknown', failure }
  }
}

interface Comparison<T> {
  /** Whether that is what the save would have stored. */
  done: (now: T) => boolean
  /** Whether that is still what the save started from. */
  unchanged: (now: T) => boolean
}

/** The outcome of a save whose response was lost, found from what is stored now. */
export function lostOutcome<T>(now: T, { done, unchanged }: Comparison<T>): 'applied' | 'notApplied' | 'other' {
  if (done(now)) return 'applied'
  return unchanged(now) ? 'notApplied' : 'other'
}
