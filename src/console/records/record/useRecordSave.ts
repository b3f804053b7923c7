/** Saving an edit of one record: other people's changes are not overwritten, and a toast reports the result. */
import { useState } from 'react'
import type { ApiFailure } from '#console/api/failure.ts'
import { invalidate } from '#console/api/queries.ts'
import { useGuardedSave, type Saving } from '#console/api/useGuardedSave.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import type { ResourceName } from '#contract/index.ts'
import { titled } from '#domain/text/words.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'

interface RecordSaving<T extends object> extends Saving<T> {
  resource: ResourceName
  /** The name of one record inside a sentence: "alert". */
  noun: string
  nameOf: (record: T) => string
  /** Asks before it is sent, where that needs more than a click. */
  confirm?: (() => Promise<boolean>) | undefined
  onSaved: (saved: T) => void
  /** Takes the save back. */
  undo?: (saved: T) => Promise<void>
  /** Puts refusals on the form's fields; returns what is left to say above them. */
  showFailure: (failure: ApiFailure) => ErrorText | null
}

export interface RecordSave<T> {
  save: () => Promise<void>
  /** After a write with a lost response: reads the stored record to find out whether it was written. */
  checkOutcome: () => Promise<void>
  clear: () => void
  /** The response to the write was lost. */
  unknown: boolean
  /** The record that somebody else saved meanwhile. Nothing was written. */
  theirs: T | null
  pending: boolean
  /** The error above the form. */
  error: ErrorText | null
}

export function useRecordSave<T extends object>(saving: RecordSaving<T>): RecordSave<T> {
  const { resource, noun, nameOf, confirm, onSaved, undo, showFailure } = saving
  const { id: connectionId } = useConnection()
  const [error, setError] = useState<ErrorText | null>(null)
  const { state, save, checkOutcome, clear } = useGuardedSave<T>({
    onSaved: (saved) => {
      void invalidate(connectionId, resource)
      toast({
        tone: 'ok',
        text: `${titled(noun, nameOf(saved))} saved`,
        ...(undo && { action: { label: 'Undo', run: () => void undo(saved) } }),
      })
      onSaved(saved)
    },
    onNotDone: () => {
      setError(null)
      toast({
        tone: 'ok',
        text: 'Nothing was saved: the request did not reach the deployment. You can save again.',
      })
    },
    onFailure: (failure) => {
      if (failure.code === 'outcomeUnknown') void invalidate(connectionId, resource)
      setError(showFailure(failure))
    },
  })
  // After a lost response, what is stored counts as theirs if it is not what was sent.
  const theirs = state.step === 'conflict' ? state.theirs : state.step === 'lost' ? state.now : null
  return {
    checkOutcome,
    unknown: state.step === 'lost' && theirs === null,
    theirs,
    pending: state.step === 'writing',
    error,
    save: async () => {
      setError(null)
      if (!confirm || (await confirm())) await save(saving)
    },
    clear: () => {
      setError(null)
      clear()
    },
  }
}
