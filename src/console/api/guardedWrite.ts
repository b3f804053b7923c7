/**
 * A write that starts from a record which was read: the gateway compares and writes in one step, for all who use this
 * gateway. Where somebody else changed what the write does not concern, it goes on from what is stored now.
 */
import type { z } from 'zod'
import { asFailure } from './failure.ts'
import { noteRevision } from './revisions.ts'

interface GuardedWrite<T extends object, R> {
  /** What was read. */
  base: T
  /** What a record looks like. */
  record: z.ZodType<T>
  /** Whether the write may go on from what is stored now. */
  unchanged: (now: T) => boolean
  /** Sends the write, with `on` as its base. */
  write: (on: T) => Promise<R>
  /** Told what is stored now where the write may not go on from it, before `conflict` is thrown. */
  onConflict?: (now: T) => void
}

/** Others may be quicker this often before it is left to the person. */
const mostTries = 5

/** Throws ApiFailure: `conflict` where somebody else changed what the write concerns, and nothing was written then. */
export async function guardedWrite<T extends object, R>(guarded: GuardedWrite<T, R>): Promise<R> {
  const { base, record, unchanged, write, onConflict } = guarded
  let on = base
  for (let tries = 1; ; tries++) {
    try {
      return await write(on)
    } catch (error) {
      const now = storedNow(error, record)
      if (now === null) throw error
      if (tries === mostTries || !unchanged(now)) {
        onConflict?.(now)
        throw error
      }
      on = now
    }
  }
}

/** What is stored now, where a write was refused because that is not what it started from; else null. */
export function storedNow<T extends object>(error: unknown, record: z.ZodType<T>): T | null {
  const { code, current } = asFailure(error)
  if (code !== 'conflict' || !current) return null
  const now = record.safeParse(current.result).data ?? null
  noteRevision(now, current.revision)
  return now
}
