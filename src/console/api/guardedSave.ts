/** A save that is based on a record as it was read, and its outcome, even if the response was lost. */
import { asFailure, type ApiFailure } from './failure.ts'
import { guardedWrite, storedNow, type GuardedWrite } from './guardedWrite.ts'

/** One save: what it starts from, how it is sent, and how to recognize its result in what is stored. */
export interface Saving<T extends object> extends GuardedWrite<T, T>, Comparison<T> {
  /** Reads what is stored, after a lost response. */
  read: () => Promise<T>
}

interface Comparison<T> {
  /** Whether that is what the save would have stored. */
  done: (now: T) => boolean
  /** Whether that is still what the save started from. */
  unchanged: (now: T) => boolean
}

export type SaveOutcome<T> =
  | { outcome: 'saved'; stored: T }
  /** Nothing was written: somebody else saved `theirs` meanwhile. */
  | { outcome: 'conflict'; theirs: T }
  /** The response was lost: `checkSave` finds out what happened. */
  | { outcome: 'lost'; failure: ApiFailure }

/** Saves once. Throws if nothing was written for another reason than a conflict. */
export async function guardedSave<T extends object>(saving: Saving<T>): Promise<SaveOutcome<T>> {
  try {
    return { outcome: 'saved', stored: await guardedWrite(saving) }
  } catch (error) {
    const theirs = storedNow(error, saving.record)
    if (theirs) return { outcome: 'conflict', theirs }
    const failure = asFailure(error)
    if (failure.code !== 'outcomeUnknown') throw error
    return { outcome: 'lost', failure }
  }
}

/** What became of a save whose response was lost. `other`: what is stored is neither the old nor the new record. */
type LostOutcome = 'applied' | 'notApplied' | 'other'

/** Reads what became of a save whose response was lost. */
export async function checkSave<T extends object>(saving: Saving<T>): Promise<{ outcome: LostOutcome; now: T }> {
  const now = await saving.read()
  return { outcome: lostOutcome(now, saving), now }
}

/** The outcome of a save whose response was lost, found from what is stored now. */
export function lostOutcome<T>(now: T, { done, unchanged }: Comparison<T>): LostOutcome {
  if (done(now)) return 'applied'
  return unchanged(now) ? 'notApplied' : 'other'
}
