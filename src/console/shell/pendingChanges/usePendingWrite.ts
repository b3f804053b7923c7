/** A write whose effect takes its time: sent, noted, and followed until the deployment reports it. */
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { asFailure, type ApiFailure } from '#console/api/failure.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { noteChange } from './changeLog.ts'
import {
  trackPendingChange,
  progressOf,
  clearPendingChange,
  usePendingChange,
  type PendingChange,
} from './pendingChanges.ts'

interface FollowedWrite {
  /** Names what is written to, connection included. */
  resource: string
  /** What the deployment reports, and when, epoch milliseconds. */
  reported: Readonly<Record<string, unknown>>
  reportedAt: number
  /** Puts refused fields on the form; answers whether that says everything. */
  onRefused: (failure: ApiFailure) => boolean
}

export function usePendingWrite({ resource, reported, reportedAt, onRefused }: FollowedWrite) {
  const [error, setError] = useState<ErrorText | null>(null)
  const [pending, setPending] = useState(false)
  const asked = usePendingChange(resource)

  const write = async (
    what: string,
    { values, former }: Pick<PendingChange, 'values' | 'former'>,
    changes: readonly Change[],
    send: () => Promise<unknown>,
  ): Promise<boolean> => {
    setError(null)
    setPending(true)
    try {
      await send()
      trackPendingChange(resource, { values, former, changes, uncertain: false })
      noteChange(resource, what, changes)
      return true
    } catch (thrown) {
      const failure = asFailure(thrown)
      if (failure.code === 'outcomeUnknown') trackPendingChange(resource, { values, former, changes, uncertain: true })
      if (!onRefused(failure)) setError(formatError(failure, location.pathname))
      return false
    } finally {
      setPending(false)
    }
  }
  const progress = asked && progressOf(asked, reported, reportedAt)
  return {
    write,
    pending,
    // That an answer was lost is no trouble any more once the deployment reports what was asked.
    error: asked?.uncertain && progress?.state === 'reached' ? null : error,
    clearError: () => setError(null),
    asked,
    progress,
    forget: () => clearPendingChange(resource),
  }
}
