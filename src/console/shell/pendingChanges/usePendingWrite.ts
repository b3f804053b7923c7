/** A write that takes effect later: it is sent, logged, and tracked until the deployment reports the new values. */
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { asFailure, type ApiFailure } from '#console/api/failure.ts'
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

interface PendingWrite {
  /** The key of the resource, including the connection. */
  resource: string
  /** What the deployment reports, and when (epoch milliseconds). */
  reported: Readonly<Record<string, unknown>>
  reportedAt: number
  /** Shows rejected fields in the form. Returns whether the form shows the whole error. */
  onRefused: (failure: ApiFailure) => boolean
}

export function usePendingWrite({ resource, reported, reportedAt, onRefused }: PendingWrite) {
  const [error, setError] = useState<ErrorText | null>(null)
  const [pending, setPending] = useState(false)
  const pendingChange = usePendingChange(resource)

  const write = async (
    what: string,
    { values, previous }: Pick<PendingChange, 'values' | 'previous'>,
    changes: readonly Change[],
    send: () => Promise<unknown>,
  ): Promise<boolean> => {
    setError(null)
    setPending(true)
    try {
      await send()
      trackPendingChange(resource, { values, previous, changes, outcomeUnknown: false })
      logChange(resource, what, changes)
      return true
    } catch (thrown) {
      const failure = asFailure(thrown)
      if (failure.code === 'outcomeUnknown')
        trackPendingChange(resource, { values, previous, changes, outcomeUnknown: true })
      if (!onRefused(failure)) setError(formatError(failure, location.pathname))
      return false
    } finally {
      setPending(false)
    }
  }
  const progress = pendingChange && changeProgress(pendingChange, reported, reportedAt)
  return {
    write,
    pending,
    // A lost response no longer matters once the deployment reports the requested values.
    error: pendingChange?.outcomeUnknown && progress?.state === 'reached' ? null : error,
    clearError: () => setError(null),
    pendingChange,
    progress,
    forget: () => clearPendingChange(resource),
  }
}
