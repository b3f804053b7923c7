/**
 * A write with the revision of the record that it starts from: the gateway compares and writes in one step, for all of
 * its users. If somebody else changed only other fields, the write is repeated on top of the stored record.
 */
import type { z } from 'zod'
import { asFailure } from './failure.ts'
import { noteRevision } from './revisions.ts'

export interface GuardedWrite<T extends object, R> {
  /** The record that was read. */
  base: T
  /** The schema of a record. */
  record: z.ZodType<T>
  /** Whether nobody changed what this write changes: then it may be repeated on top of the stored record. */
  unchanged: (stored: T) => boolean
  /** Sends the write on top of a record: `base`, or what is stored if that was changed elsewhere. */
  write: (current: T) => Promise<R>
  /** Called with the stored record if the write may not be repeated on top of it, before `conflict` is thrown. */
  onConflict?: (stored: T) => void
}

/** Tries before the conflict is shown. */
const maxTries = 5

/** Throws ApiFailure: `conflict` if somebody else changed the same fields; nothing was written then. */
export async function guardedWrite<T extends object, R>(guarded: GuardedWrite<T, R>): Promise<R> {
  const { base, record, unchanged, write, onConflict } = guarded
  let current = base
  for (let tries = 1; ; tries++) {
    try {
      return await write(current)
    } catch (error) {
      const stored = storedNow(error, record)
      if (stored === null) throw error
      if (tries === maxTries || !unchanged(stored)) {
        onConflict?.(stored)
        throw error
      }
      current = stored
    }
  }
}

/** The stored record, where a write was refused because it started from something else; otherwise null. */
export function storedNow<T extends object>(error: unknown, record: z.ZodType<T>): T | null {
  const { code, current } = asFailure(error)
  if (code !== 'conflict' || !current) return null
  const now = record.safeParse(current.result).data ?? null
  noteRevision(now, current.revision)
  return now
}
