/** The known windows of an alert: from its history, or computed from a chart query where there is none. */
import { useMemo } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { useWatchedWindows, type WatchedState } from '#console/telemetry/watched/useWatchedWindows.ts'
import type { Alert } from '#contract/alerts.ts'
import { maxTopGroups } from '#contract/charts.ts'
import type { Span } from '#domain/time/span.ts'
import { computedWindows } from '../model/evaluatedWindows.ts'
import { firingsOfWindows, type Firing } from '../model/facts.ts'
import { useEvaluations, type Evaluations } from './useEvaluations.ts'
import { useFirings } from './useFirings.ts'

export interface AlertHistory {
  evaluations: Evaluations
  /** Newest first. */
  firings: readonly Firing[] | undefined
  /** Whether the first read is under way. */
  reading: { windows: boolean; firings: boolean }
  /** The values of the range, for the chart. */
  watched: WatchedState
  /** The deployment keeps no evaluations: all of it is computed. */
  computed: boolean
}

export function useAlertHistory(alert: Alert, span: Span): AlertHistory {
  const connection = useConnection()
  const stored = useEvaluations(alert)
  // A drawing needs no more groups than a chart has; the computation of firings needs all of them.
  const topGroups = stored.offered ? maxTopGroups : undefined
  const watched = useWatchedWindows({ connection, watching: alert, schedule: alert, range: span, topGroups })
  const storedFirings = useFirings(alert.id)
  const computed = !stored.offered
  const windows = useMemo(
    () => (computed && watched.kind === 'read' ? computedWindows(alert, watched) : undefined),
    [computed, alert, watched],
  )
  const firings = useMemo(() => windows && firingsOfWindows(windows), [windows])
  if (!computed) {
    const reading = { windows: !stored.windows && stored.error === null, firings: storedFirings.isReading }
    return { evaluations: stored, firings: storedFirings.firings, reading, watched, computed }
  }
  const failed = watched.kind === 'failed' ? watched : null
  const evaluations: Evaluations = {
    offered: false,
    windows,
    error: failed?.error ?? null,
    refetch: () => failed?.refresh(),
    hasMore: false,
    older: { read: () => {}, pending: false, error: null },
  }
  const isReading = watched.kind === 'loading'
  return { evaluations, firings, reading: { windows: isReading, firings: isReading }, watched, computed }
}

export const computedNote = 'Computed from chart queries: this API has no evaluation history.'
