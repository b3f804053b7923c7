/**
 * A save that takes effect later: it is guarded and sent like that of any record, logged, and tracked until the deployment
 * reports the new values.
 */
import { useRef, useState } from 'react'
import type { ApiFailure } from '#console/api/failure.ts'
import { useGuardedSave, type Saving } from '#console/api/useGuardedSave.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { logChange } from './changeLog.ts'
import {
  trackPendingChange,
  changeProgress,
  clearPendingChange,
  usePendingChange,
  type PendingChange,
} from './pendingChanges.ts'

interface PendingSaveOptions {
  /** The key of the resource, including the connection. */
  resource: string
  /** The deployment's report and its time (epoch milliseconds). */
  reported: Readonly<Record<string, unknown>>
  reportedAt: number
  /** Puts refusals on the form's fields; returns what is left to say above them. */
  showFailure: (failure: ApiFailure) => ErrorText | null
}

/** The request and its changes. */
interface PendingSaving<T extends object> extends Saving<T>, Pick<PendingChange, 'values' | 'previous'> {
  /** "Scaled". */
  what: string
  changes: readonly Change[]
  /** Called with the record as the deployment acknowledges it. */
  onAccepted: (record: T) => void
}

export function usePendingSave<T extends object>(options: PendingSaveOptions) {
  const { resource, reported, reportedAt, showFailure } = options
  const [error, setError] = useState<ErrorText | null>(null)
  const sent = useRef<PendingSaving<T>>(null)
  const pendingChange = usePendingChange(resource)

  const track = (outcomeUnknown: boolean) => {
    if (!sent.current) return
    const { values, previous, changes } = sent.current
    trackPendingChange(resource, { values, previous, changes, outcomeUnknown })
  }
  const { state, save, clear } = useGuardedSave<T>({
    onSaved: (record) => {
      track(false)
      if (sent.current) logChange(resource, sent.current.what, sent.current.changes)
      sent.current?.onAccepted(record)
    },
    // Not asked for: what the deployment reports next shows whether the change was accepted.
    onNotDone: () => undefined,
    onFailure: (failure) => {
      if (failure.code === 'outcomeUnknown') track(true)
      setError(showFailure(failure))
    },
  })
  const progress = pendingChange && changeProgress(pendingChange, reported, reportedAt)
  return {
    save: async (saving: PendingSaving<T>) => {
      setError(null)
      sent.current = saving
      await save(saving)
    },
    pending: state.step === 'writing',
    /** The record that somebody else saved meanwhile. Nothing was written. */
    theirs: state.step === 'conflict' ? state.theirs : null,
    // A lost response no longer matters once the deployment reports the requested values.
    error: pendingChange?.outcomeUnknown && progress?.state === 'reached' ? null : error,
    /** Forgets an error or a conflict. */
    clear: () => {
      setError(null)
      clear()
    },
    pendingChange,
    progress,
    forget: () => clearPendingChange(resource),
  }
}
