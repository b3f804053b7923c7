/** Saving an edit of one record: other people's changes are not overwritten, and a toast reports the result. */
import { useState } from 'react'
import type { z } from 'zod'
import type { ApiFailure } from '#console/api/failure.ts'
import { invalidate } from '#console/api/queries.ts'
import { useGuardedSave, type GuardedSave } from '#console/api/useGuardedSave.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import type { ResourceName } from '#contract/index.ts'
import { useConnection } from '../connection.tsx'
import { toast } from '../messages/toasts.tsx'
import { capitalized } from '#console/ui/format.ts'

interface RecordSaving<T extends object> {
  resource: ResourceName
  /** The name of one record inside a sentence: "alert". */
  noun: string
  nameOf: (record: T) => string
  /** What the form started from. */
  base: T
  /** The schema of a record. */
  record: z.ZodType<T>
  /** Reads what is stored, after a lost response. */
  read: () => Promise<T>
  /** Whether that is still what the form started from, as far as the save is concerned. */
  unchanged: (now: T) => boolean
  /** Whether that is what the save would have stored. */
  done: (now: T) => boolean
  /** Sends the save with `on` as its base. */
  write: (on: T) => Promise<T>
  onSaved: (saved: T) => void
  /** Puts refusals on the form's fields; returns what is left to say above them. */
  showFailure: (failure: ApiFailure) => ErrorText | null
}

export interface RecordSave<T> extends GuardedSave<T> {
  /** The error above the form. */
  error: ErrorText | null
}

export function useRecordSave<T extends object>(saving: RecordSaving<T>): RecordSave<T> {
  const { resource, noun, nameOf, base, record, read, unchanged, done, write, onSaved, showFailure } = saving
  const { id: connectionId } = useConnection()
  const [error, setError] = useState<ErrorText | null>(null)
  const guarded = useGuardedSave<T>({
    base,
    record,
    read,
    unchanged,
    done,
    write,
    onSaved: (saved) => {
      void invalidate(connectionId, resource)
      toast({ tone: 'ok', text: `${capitalized(noun)} ${nameOf(saved)} saved.` })
      onSaved(saved)
    },
    onNotDone: () =>
      toast({
        tone: 'ok',
        text: 'Nothing was saved: the request did not reach the deployment. You can save again.',
      }),
    onFailure: (failure) => {
      if (failure.code === 'outcomeUnknown') void invalidate(connectionId, resource)
      setError(showFailure(failure))
    },
  })
  return {
    ...guarded,
    error,
    save: () => {
      setError(null)
      return guarded.save()
    },
    clear: () => {
      setError(null)
      guarded.clear()
    },
  }
}
