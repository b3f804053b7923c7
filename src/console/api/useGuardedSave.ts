/** Saving an edit of an API without versions: the gateway compares and writes in one step. A lost response is checked by a read. */
import { useState } from 'react'
import type { z } from 'zod'
import { asFailure, type ApiFailure } from './failure.ts'
import { guardedSave, lostOutcome } from './guardedSave.ts'

interface Saving<T extends object> {
  /** What the form started from. */
  base: T
  /** The schema of a record. */
  record: z.ZodType<T>
  /** Reads the stored record after a lost response. */
  read: () => Promise<T>
  /** Whether it equals the base of the form, as far as the save is concerned. */
  unchanged: (now: T) => boolean
  /** Whether it equals the result of the save. */
  done: (now: T) => boolean
  /** Sends the save with `on` as its base. */
  write: (on: T) => Promise<T>
  onSaved: (saved: T) => void
  /** After a lost response: a read shows that nothing was written. */
  onNotDone: () => void
  onFailure: (failure: ApiFailure) => void
}

export interface GuardedSave<T> {
  save: () => Promise<void>
  /** After a write with a lost response: reads the stored record to find out whether it was written. */
  checkOutcome: () => Promise<void>
  clear: () => void
  /** The response to the write was lost. */
  unknown: boolean
  /** The record that somebody else saved meanwhile. Nothing was written. */
  theirs: T | null
  pending: boolean
}

export function useGuardedSave<T extends object>(saving: Saving<T>): GuardedSave<T> {
  const [unknown, setUnknown] = useState(false)
  const [theirs, setTheirs] = useState<T | null>(null)
  const [pending, setPending] = useState(false)

  const clear = () => {
    setUnknown(false)
    setTheirs(null)
  }
  const guarded = async (task: () => Promise<void>) => {
    setPending(true)
    try {
      await task()
    } catch (thrown) {
      setUnknown(false)
      saving.onFailure(asFailure(thrown))
    } finally {
      setPending(false)
    }
  }

  const save = () =>
    guarded(async () => {
      clear()
      const saved = await guardedSave(saving)
      if (saved.outcome === 'saved') return saving.onSaved(saved.result)
      if (saved.outcome === 'conflict') return setTheirs(saved.theirs)
      setUnknown(true)
      saving.onFailure(saved.failure)
    })

  const checkOutcome = () =>
    guarded(async () => {
      const now = await saving.read()
      const outcome = lostOutcome(now, saving)
      if (outcome === 'applied') return saving.onSaved(now)
      clear()
      if (outcome === 'other') return setTheirs(now)
      saving.onNotDone()
    })

  return { save, checkOutcome, clear, unknown, theirs, pending }
}
