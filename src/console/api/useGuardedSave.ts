/** A save that is based on a record as it was read, and its state on the screen: writing, in conflict, or with a lost response. */
import { useState } from 'react'
import { asFailure, type ApiFailure } from './failure.ts'
import { guardedWrite, storedNow, type GuardedWrite } from './guardedWrite.ts'

/** One save: what it starts from, how it is sent, and how to recognize its result in what is stored. */
export interface Saving<T extends object> extends GuardedWrite<T, T>, Comparison<T> {
  /** Reads what is stored, after a lost response. */
  read: () => Promise<T>
}

interface Comparison<T> {
  /** Whether that is what the save would have stored. */
  done: (stored: T) => boolean
  /** Whether that is still what the save started from. */
  unchanged: (stored: T) => boolean
}

interface SaveHandlers<T> {
  onSaved: (stored: T) => void
  /** After a lost response: a read shows that nothing was written. `now` is what is stored. */
  onNotDone: (now: T) => void
  /** The save, or the read after a lost response, failed. */
  onFailure: (failure: ApiFailure) => void
  /** Checks the outcome right after a lost response. Default: when `checkOutcome` is called. */
  checksAtOnce?: boolean
}

type SaveState<T extends object> =
  | { step: 'ready' }
  /** Writing, or checking the outcome. */
  | { step: 'writing' }
  /** Nothing was written: somebody else saved `theirs` meanwhile. */
  | { step: 'conflict'; theirs: T }
  /** The response was lost. `now` is neither the old nor the new record; null if it was not read. */
  | { step: 'lost'; saving: Saving<T>; now: T | null }

export interface GuardedSave<T extends object> {
  state: SaveState<T>
  save: (saving: Saving<T>) => Promise<void>
  /** After a lost response: reads the stored record to find out whether it was written. */
  checkOutcome: () => Promise<void>
  /** Forgets a conflict or a lost response. */
  clear: () => void
}

/** Saves so that nothing of others is overwritten: the gateway compares and writes in one step. */
export function useGuardedSave<T extends object>(handlers: SaveHandlers<T>): GuardedSave<T> {
  const { onSaved, onNotDone, onFailure, checksAtOnce = false } = handlers
  const [state, setState] = useState<SaveState<T>>(ready)

  const save = async (saving: Saving<T>) => {
    setState({ step: 'writing' })
    try {
      const stored = await guardedWrite(saving)
      setState(ready)
      onSaved(stored)
    } catch (thrown) {
      const theirs = storedNow(thrown, saving.record)
      if (theirs) return setState({ step: 'conflict', theirs })
      const failure = asFailure(thrown)
      const isLost = failure.code === 'outcomeUnknown'
      if (isLost && checksAtOnce) return await check(saving)
      setState(isLost ? { step: 'lost', saving, now: null } : ready)
      onFailure(failure)
    }
  }

  const check = async (saving: Saving<T>) => {
    setState({ step: 'writing' })
    try {
      const now = await saving.read()
      const outcome = lostOutcome(now, saving)
      setState(outcome === 'other' ? { step: 'lost', saving, now } : ready)
      if (outcome === 'applied') onSaved(now)
      if (outcome === 'notApplied') onNotDone(now)
    } catch (thrown) {
      setState({ step: 'lost', saving, now: null })
      onFailure(asFailure(thrown))
    }
  }

  const checkOutcome = async () => {
    if (state.step === 'lost') await check(state.saving)
  }
  return { state, save, checkOutcome, clear: () => setState(ready) }
}

const ready = { step: 'ready' } as const

/** The outcome of a save whose response was lost. `other`: neither the old nor the new record is stored. */
type LostOutcome = 'applied' | 'notApplied' | 'other'

/** The outcome of a save whose response was lost, found from what is stored now. */
export function lostOutcome<T>(now: T, { done, unchanged }: Comparison<T>): LostOutcome {
  if (done(now)) return 'applied'
  return unchanged(now) ? 'notApplied' : 'other'
}
